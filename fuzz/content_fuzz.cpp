// Any bytes at all, as `cavity fit` opens them: gzip and zstd are expanded, the content found, the right reader called.
#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/dataset_from_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const ReadOptions options{.labels_required = size % 2 == 0, .compact = size % 3 == 0};
  fuzz::expect_answer(
      [&] { fuzz::expect_whole(dataset_from_bytes(copy_bytes(fuzz::text_of(data, size)), "f", options)); });
  return 0;
}
