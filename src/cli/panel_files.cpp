#include "cli/panel_files.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "cavity/errors.hpp"
#include "file/bytes.hpp"
#include "file/messages.hpp"

namespace cavity::cli {

namespace {

struct Line {
  std::string_view text;
  std::size_t number;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> out;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty()) out.push_back({line, number});
  }
  return out;
}

}  // namespace

std::vector<std::string> read_names(const std::string& path) {
  const Bytes bytes = read_bytes(path);
  std::vector<std::string> out;
  for (const Line& line : lines_of(bytes.view())) out.emplace_back(line.text);
  if (out.empty()) throw InputError(fmt::format("{}: no name of a feature; one a line is needed", shown_path(path)));
  return out;
}

std::vector<std::pair<std::string, double>> read_prices(const std::string& path) {
  const Bytes bytes = read_bytes(path);
  std::vector<std::pair<std::string, double>> out;
  for (const Line& line : lines_of(bytes.view())) {
    const std::size_t cut = line.text.find_last_of(",\t");
    if (cut == std::string_view::npos)
      throw InputError(fmt::format("{}, line {}: {} has no price; a line is a name, a comma or a tab, and a number",
                                   shown_path(path), line.number, shown(std::string(line.text))));
    const std::string_view number = line.text.substr(cut + 1);
    double price = 0;
    const auto [last, code] = std::from_chars(number.data(), number.data() + number.size(), price);
    if (code == std::errc() && last == number.data() + number.size()) {
      out.emplace_back(line.text.substr(0, cut), price);
      continue;
    }
    if (line.number == 1) continue;
    throw InputError(
        fmt::format("{}, line {}: {} is no price", shown_path(path), line.number, shown(std::string(number))));
  }
  return out;
}

std::vector<std::string> parse_names(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace cavity::cli
