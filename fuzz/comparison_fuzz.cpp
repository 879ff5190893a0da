// The CSV of a comparison that is resumed: whole splits, errors that are shares.
#include "compare/split_log.hpp"
#include "fuzzing.hpp"
#include "own_file.hpp"
#include "support/resumed_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  // As it is, and below the first line of this comparison, which no mutation would keep for long.
  const std::string_view bytes = fuzz::text_of(data, size);
  const std::string first = "# cavity compare " + test::small_settings().dump() + "\n";
  for (const std::string& file : {std::string(bytes), first + std::string(bytes)}) {
    fuzz::own_file(file);
    fuzz::expect_answer([&] {
      const SplitLog log(fuzz::own_path(), test::small_settings(), 2, true);
      fuzz::expect(log.done().size() == 2 * log.done_splits().size());
      for (const SplitResult& r : log.done()) fuzz::expect(r.error >= 0 && r.error <= 1);
    });
  }
  return 0;
}
