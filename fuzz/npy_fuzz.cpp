// NumPy arrays: header and values, without labels.
#include <utility>

#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  Bytes bytes = copy_bytes(fuzz::text_of(data, size));
  const ReadOptions options{.labels_required = false};
  fuzz::expect_answer([&] { fuzz::expect_whole(read_npy(std::move(bytes), "f", options)); });
  return 0;
}
