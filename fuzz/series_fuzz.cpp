// GEO series matrices and other text with lines before the table, decimal commas and words for missing values.
#include "fuzzing.hpp"
#include "read/dataset_from_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  ReadOptions options{.label = size % 3 == 0 ? "" : "state", .labels_required = size % 2 == 0};
  if (size % 5 == 0) options.missing_words = {".", "-1"};
  if (size % 7 == 0) options.decimal = Decimal::comma;
  if (size % 11 == 0) options.duplicates = Duplicates::suffix;
  if (size % 13 == 0) options.drop = {"a"};
  fuzz::expect_answer(
      [&] { fuzz::expect_whole(dataset_from_bytes(copy_bytes(fuzz::text_of(data, size)), "f", options)); });
  return 0;
}
