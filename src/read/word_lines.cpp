#include "read/word_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

bool WordLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  cursor_ = 0;
  return true;
}

bool WordLines::blank() const { return std::all_of(line_.begin(), line_.end(), is_space); }

std::string_view WordLines::word() {
  std::size_t begin = cursor_;
  while (begin < line_.size() && is_space(line_[begin])) ++begin;
  std::size_t end = begin;
  while (end < line_.size() && !is_space(line_[end])) ++end;
  column_ = begin + 1;
  cursor_ = end;
  return line_.substr(begin, end - begin);
}

void WordLines::fail(std::string_view token, const std::string& what) const {
  throw InputError(
      fmt::format("{}, line {}, column {}: {} {}", shown_path(path_), number_, column_, shown(token), what));
}

}  // namespace cavity
