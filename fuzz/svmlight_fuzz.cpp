// svmlight lines, for fitting and for prediction, dense and sparse.
#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/svmlight.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const Bytes bytes = copy_bytes(fuzz::text_of(data, size));
  const ReadOptions options{.labels_required = size % 2 == 0, .compact = size % 3 == 0};
  fuzz::expect_answer([&] { fuzz::expect_whole(read_svmlight(bytes, "f", options)); });
  return 0;
}
