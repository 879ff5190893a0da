// A sample sheet, covariates and labels of their own beside a table: three texts with a NUL between them. What is
// joined has a line for every sample.
#include "fuzzing.hpp"
#include "read/covariate_file.hpp"
#include "read/dataset_from_bytes.hpp"
#include "read/join_samples.hpp"
#include "read/sample_sheet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  std::string_view text = fuzz::text_of(data, size);
  const auto next = [&text] {
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
  };
  const std::string_view sheet_text = next(), table_text = next();
  ReadOptions options;
  options.threads = 1;
  if (size % 2 == 0) options.label = "state";
  if (size % 3 == 0) options.covariates = {"age"};
  if (size % 5 == 0) options.group = "who";
  options.labels_required = size % 7 != 0;
  fuzz::expect_answer([&] {
    const SampleSheet sheet = sheet_from_bytes(copy_bytes(sheet_text), "sheet", options);
    Dataset joined = dataset_from_bytes(copy_bytes(table_text), "table", left_to_the_table(sheet, options));
    join_samples(sheet, options, joined);
    fuzz::expect_whole(joined);
    fuzz::expect(joined.groups.empty() || joined.groups.size() == joined.features.rows());
  });
  return 0;
}
