// Workbooks, .npz and zipped tables.
#include "fuzzing.hpp"
#include "read/dataset_from_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  ReadOptions options{.labels_required = size % 2 == 0};
  if (size % 5 == 0) options.sheet = "2";
  if (size % 7 == 0) options.layer = "b";
  fuzz::expect_answer(
      [&] { fuzz::expect_whole(dataset_from_bytes(copy_bytes(fuzz::text_of(data, size)), "f", options)); });
  return 0;
}
