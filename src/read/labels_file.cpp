#include "read/labels_file.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "read/csv_rows.hpp"
#include "read/unpack.hpp"

namespace cavity {

LabelTexts read_labels_file(const std::string& path, std::size_t samples, std::vector<std::string>& notes) {
  return labels_from_bytes(read_bytes(path), path, samples, notes);
}

LabelTexts labels_from_bytes(Bytes compressed, const std::string& path, std::size_t samples,
                             std::vector<std::string>& notes) {
  const Bytes bytes = unpacked(std::move(compressed), path, {});
  std::string_view text = bytes.view();
  reject_nul(text, 0, path);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  LabelTexts labels{{}, {}, path};
  std::string scratch;
  const char* const end = text.data() + text.size();
  std::size_t lines = 0, count = 0;  // count: up to the last that is not blank
  for (const char* p = text.data(); p != end;) {
    const Field field = read_field(p, end, '\n', scratch);
    ++lines;
    if (field.fault != Fault::none)
      throw InputError(fmt::format("{}, line {}: unbalanced quotes", shown_path(path), lines));
    if (!field.text.empty()) count = lines;
    if (lines <= samples + 1) {  // more are counted, not kept: the file may be anything
      labels.values.emplace_back(field.text);
      labels.lines.push_back(lines);
    }
    p = field.next == end ? end : field.next + 1;
  }
  if (count != samples && count != samples + 1) {
    throw InputError(
        fmt::format("{}: {} labels for {} samples; one label a line is needed", shown_path(path), count, samples));
  }
  labels.values.resize(count);
  labels.lines.resize(count);
  if (labels.values.size() == samples + 1) {
    notes.push_back("labels file: the first line, " + shown(labels.values.front()) + ", is a header");
    labels.values.erase(labels.values.begin());
    labels.lines.erase(labels.lines.begin());
  }
  return labels;
}

}  // namespace cavity
