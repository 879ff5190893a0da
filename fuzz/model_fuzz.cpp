// The model file, as it is and with its length and checksum put right, which no mutation would hit by chance. What
// loads is written again, and loads again.
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "fuzzing.hpp"
#include "support/model_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const std::string_view bytes = fuzz::text_of(data, size);
  fuzz::expect_answer([&] { model_from_bytes(bytes); });
  if (size < sizeof(FileStart) + checksum_size) return 0;
  fuzz::expect_answer([&] {
    const std::string again = model_bytes(model_from_bytes(test::sealed(std::string(bytes))));
    fuzz::expect(model_bytes(model_from_bytes(again)) == again);
  });
  return 0;
}
