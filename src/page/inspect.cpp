#include "cavity/errors.hpp"
#include "cavity/report.hpp"
#include "file/bytes.hpp"
#include "file/content.hpp"
#include "page/memory.hpp"
#include "page/requests.hpp"
#include "read/csv_head.hpp"
#include "read/unpack.hpp"
#include "table/table.hpp"

namespace cavity::page {

namespace {

constexpr std::size_t most_columns = 500;  // offered to choose the label from; any other can be typed

/// The names that a label or group column can have, as far as they are worth listing: the header of a table.
Json columns(const std::string& path, const ReadOptions& options) {
  Json out = Json::array();
  const Bytes bytes = unpacked(read_bytes(path), path, options);
  if (detect_content(bytes.view(), path) != Content::table) return out;
  std::string_view text = bytes.view();
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const CsvHead head = read_head(text, path, options);
  for (std::size_t k = 0; head.header && k < head.columns() && k < most_columns; ++k)
    if (!head.first[k].empty()) out.push_back(std::string(head.first[k]));
  return out;
}

Json class_counts(const Dataset& data) {
  std::vector<std::size_t> counts(data.class_names.size(), 0);
  for (const std::uint32_t k : data.classes)
    if (k < counts.size()) ++counts[k];
  Json out = Json::array();
  for (std::size_t k = 0; k < counts.size(); ++k) out.push_back({{"name", data.class_names[k]}, {"count", counts[k]}});
  return out;
}

std::size_t missing_values(const Table& table) {
  ThreadPool pool;
  std::size_t out = 0;
  for (const std::uint32_t n : table.moments(0, table.features(), pool).missing) out += n;
  return out;
}

Json understood(const Dataset& data) {
  Json notes = Json::array();
  for (const std::string& note : data.notes) notes.push_back(spell_options(note, OptionStyle::flags));
  const Table& table = data.features.table();
  return {{"samples", data.samples()},          {"features", data.features.cols()}, {"label", data.label_name},
          {"classes", class_counts(data)},      {"missing", missing_values(table)}, {"notes", notes},
          {"bytes_needed", bytes_of_fit(data)}, {"bytes_available", memory_limit()}};
}

}  // namespace

Json inspect(const Json& request) {
  const ReadOptions options = reading(request);
  const std::string& path = request.at("file").get_ref<const std::string&>();
  Json out;
  // Whatever the table lacks, what it has is offered to choose from.
  try {
    out = understood(read_dataset(path, options));
  } catch (const Error& error) {
    out = {{"error", spell_options(error.what(), OptionStyle::flags)}};
  }
  try {
    out["columns"] = columns(path, options);
  } catch (const Error&) {
    out["columns"] = Json::array();  // the reader has said already why there are none
  }
  return out;
}

}  // namespace cavity::page
