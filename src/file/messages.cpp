#include "file/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "file/lower_case.hpp"

namespace cavity {

namespace {

constexpr std::size_t shown_characters = 40;
constexpr std::size_t listed_names = 8;

/// Length of the printable UTF-8 character at the start of `text`; 0 when it has to be escaped.
std::size_t printable_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return drives_terminal(text.substr(0, 1)) ? 0 : 1;
  const std::size_t length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first >= 0xf5 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return drives_terminal(text.substr(0, length)) ? 0 : length;
}

/// All of it, or as many characters as `most`.
std::string written_out(std::string_view value, std::size_t most, std::string_view spared, bool& cut) {
  std::string text;
  for (std::size_t characters = 0; !value.empty(); ++characters) {
    if (characters == most) {
      cut = true;
      return text;
    }
    const std::size_t length = spared.find(value[0]) != spared.npos ? 1 : printable_length(value);
    if (length > 0)
      text += value.substr(0, length);
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(value[0]));
    value.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

bool drives_terminal(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  const auto last = static_cast<unsigned char>(character.back());
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  if (character.size() == 2) return first == 0xc2 && last < 0xa0;
  if (character.size() != 3 || first != 0xe2) return false;
  return character[1] == '\x80'   ? last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae)
         : character[1] == '\x81' ? last >= 0xa6 && last <= 0xa9
                                  : false;
}

std::string shown(std::string_view value) {
  bool cut = false;
  const std::string text = written_out(value, shown_characters, "", cut);
  return "'" + text + (cut ? "...'" : "'");
}

std::string plain(std::string_view value, std::size_t most) {
  bool cut = false;
  return written_out(value, most, "", cut);
}

std::string plain_lines(std::string_view text) {
  bool cut = false;
  return written_out(text, text.size(), "\n\t", cut);
}

namespace {

template <class Name>
std::string listed(const std::vector<Name>& names, std::size_t limit) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, names.size()); ++i) text += (i == 0 ? "" : ", ") + shown(names[i]);
  if (names.size() > limit) text += fmt::format(" and {} more", names.size() - limit);
  return text;
}

}  // namespace

std::string shown_names(const std::vector<std::string>& names, std::size_t limit) { return listed(names, limit); }
std::string shown_names(const std::vector<std::string_view>& names, std::size_t limit) { return listed(names, limit); }

std::string nearest_names(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string lower = lower_case(wanted.substr(0, 100));
  const std::size_t reach = std::max<std::size_t>(1, lower.size() / 3);
  std::vector<std::pair<std::size_t, std::size_t>> close;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > lower.size() + reach || names[i].size() + reach < lower.size()) continue;
    const std::size_t distance = edit_distance(lower, lower_case(names[i]));
    if (distance <= reach) close.emplace_back(distance, i);
  }
  if (close.empty()) return "; the columns are " + shown_names(names, listed_names);
  std::sort(close.begin(), close.end());
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, close.size()); ++i) {
    text += (i == 0 ? "" : " or ") + shown(names[close[i].second]);
  }
  return text + "?";
}

std::string counted(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : plain(path); }

}  // namespace cavity
