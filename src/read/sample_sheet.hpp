// A sample sheet: a table of text with a header and one line a sample.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

struct SampleSheet {
  std::string path;
  std::vector<std::string> columns;                     // names; that of R's row names is empty
  std::vector<std::vector<std::string>> rows;           // fields, as many as columns
  std::vector<std::size_t> lines;                       // where each row stands, for messages
  std::size_t id = 0;                                   // column
  std::unordered_map<std::string, std::size_t> places;  // id -> row
  std::vector<std::string> notes;                       // what the reader decided

  /// By name, else by 1-based position.
  std::optional<std::size_t> find(std::string_view wanted) const;
  const std::string& id_of(std::size_t row) const { return rows[row][id]; }
};

/// InputError for a line of another length than the header's, and an empty or repeated id.
SampleSheet read_sample_sheet(const std::string& path, const ReadOptions& options);

/// The same for bytes that are here already; `path` is for messages.
SampleSheet sheet_from_bytes(Bytes bytes, const std::string& path, const ReadOptions& options);

/// The column of ids that is asked for, else `sheet.id` as it is, and where each id stands. UsageError and InputError
/// as above.
void choose_id(const ReadOptions& options, SampleSheet& sheet);

}  // namespace cavity
