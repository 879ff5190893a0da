// The model file, as it is and with its length and checksum put right, which no mutation would hit by chance. What
// loads is written again, and loads again.
#include <cstring>

#include "cavity/fit.hpp"
#include "data/array_layout.hpp"
#include "data/checksum.hpp"
#include "fuzzing.hpp"

namespace {

std::string sealed(std::string bytes) {
  using namespace cavity::data;
  FileStart start{};
  std::memcpy(&start, bytes.data(), sizeof start);
  std::memcpy(start.magic, model_magic.data(), sizeof start.magic);
  start.file_size = bytes.size();
  std::memcpy(bytes.data(), &start, sizeof start);
  const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, bytes.size() - checksum_size));
  std::memcpy(bytes.data() + bytes.size() - checksum_size, &sum, sizeof sum);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const std::string_view bytes = fuzz::text_of(data, size);
  fuzz::expect_answer([&] { model_from_bytes(bytes); });
  if (size < sizeof(data::FileStart) + data::checksum_size) return 0;
  fuzz::expect_answer([&] {
    const std::string again = model_bytes(model_from_bytes(sealed(std::string(bytes))));
    fuzz::expect(model_bytes(model_from_bytes(again)) == again);
  });
  return 0;
}
