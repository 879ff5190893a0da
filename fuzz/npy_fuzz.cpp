// NumPy arrays: header and values, without labels.
#include "data/npy.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const data::Bytes bytes = data::copy_bytes(fuzz::text_of(data, size));
  const ReadOptions options{.labels_required = false};
  fuzz::expect_answer([&] { fuzz::expect_whole(data::read_npy(bytes, "f", options)); });
  return 0;
}
