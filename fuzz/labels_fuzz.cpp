// A file of labels, then what becomes of them in fitting and in prediction.
#include <algorithm>

#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/labels_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const std::string_view text = fuzz::text_of(data, size);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::size_t samples = lines + size % 2;
  fuzz::expect_answer([&] {
    std::vector<std::string> notes;
    const LabelTexts labels = labels_from_bytes(copy_bytes(text), "f", samples, notes);
    fuzz::expect(labels.values.size() == samples && labels.lines.size() == samples);
    ReadOptions options{.labels_required = size % 3 == 0};
    if (size % 5 == 0) options.expected_classes = {"0", "t"};
    Dataset dataset;
    assign_labels(dataset, labels, options);
    fuzz::expect(dataset.classes.empty() || dataset.classes.size() == samples);
  });
  return 0;
}
