// Sample sheets.
#include "fuzzing.hpp"
#include "read/sample_sheet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  ReadOptions options;
  if (size % 3 == 0) options.sample_id = "2";
  fuzz::expect_answer([&] {
    const SampleSheet sheet = sheet_from_bytes(copy_bytes(fuzz::text_of(data, size)), "f", options);
    fuzz::expect(sheet.rows.size() == sheet.lines.size() && sheet.places.size() == sheet.rows.size());
    for (const auto& row : sheet.rows) fuzz::expect(row.size() == sheet.columns.size());
  });
  return 0;
}
