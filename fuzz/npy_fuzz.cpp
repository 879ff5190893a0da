// NumPy arrays: header and values, without labels.
#include <utility>

#include "data/npy.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  data::Bytes bytes = data::copy_bytes(fuzz::text_of(data, size));
  const ReadOptions options{.labels_required = false};
  fuzz::expect_answer([&] { fuzz::expect_whole(data::read_npy(std::move(bytes), "f", options)); });
  return 0;
}
