// CSV and TSV, with the options that change how columns are found; the length of the input chooses them.
#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/csv.hpp"

namespace {

cavity::ReadOptions options_of(std::size_t choice) {
  cavity::ReadOptions options;
  options.labels_required = choice % 2 == 0;
  if (choice % 3 == 0) options.covariates = {"age"};
  if (choice % 5 == 0) options.label = "2";
  if (choice % 5 == 1) options.sample_id = "1";
  if (choice % 7 == 0) options.header = choice % 2 == 0 ? cavity::Header::absent : cavity::Header::present;
  if (choice % 13 == 0) options.orientation = cavity::Orientation::features_in_rows;
  if (choice % 11 == 0) {
    options.labels_required = false;
    options.expected_features = {"a", "b"};
    options.expected_classes = {"n", "t"};
  }
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const Bytes bytes = copy_bytes(fuzz::text_of(data, size));
  fuzz::expect_answer([&] { fuzz::expect_whole(read_csv(bytes, "f", options_of(size))); });
  return 0;
}
