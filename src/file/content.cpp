#include "file/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"

namespace cavity {

using namespace std::string_view_literals;

namespace {

struct Foreign {
  std::string_view magic;
  std::string_view name;
};

constexpr std::array foreign_formats = {
    Foreign{"PK\x03\x04"sv, "a zip archive (a spreadsheet or .npz?)"},
    Foreign{"\x89HDF\r\n"sv, "an HDF5 file"},
    Foreign{"PAR1"sv, "a Parquet file"},
    Foreign{"BZh"sv, "a bzip2 file"},
    Foreign{"\xfd"
            "7zXZ\0"sv,
            "an xz file"},
    Foreign{"\xff\xfe"sv, "UTF-16 text"},
    Foreign{"\xfe\xff"sv, "UTF-16 text"},
};

std::string_view next_token(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view token = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return token;
}

bool is_indexed(std::string_view token) {
  if (token.starts_with("qid:")) return true;
  std::size_t digits = 0;
  if (token.starts_with('-')) token.remove_prefix(1);
  while (digits < token.size() && is_digit(token[digits])) ++digits;
  return digits > 0 && digits < token.size() && token[digits] == ':';
}

/// svmlight shows in the first line that has a second word: `label index:value`. Lines with the label alone (samples
/// whose features are all zero) and comments decide nothing.
bool looks_like_svmlight(std::string_view text) {
  for (int lines = 0; lines < 1000 && !text.empty(); ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const std::string_view label = next_token(line), second = next_token(line);
    if (label.find_first_of(",;\"") != std::string_view::npos) return false;
    if (!second.empty()) return is_indexed(second);
  }
  return false;
}

}  // namespace

Content detect_content(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\x1f\x8b"sv)) return Content::gzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Content::zstd;
  if (bytes.starts_with("\x93NUMPY"sv)) return Content::npy;
  if (bytes.starts_with("%%MatrixMarket"sv)) return Content::matrix_market;
  if (bytes.starts_with("\x6c\x1b"sv))
    throw InputError(
        fmt::format("{}: a PLINK .bed file is read by its name, with its .bim and .fam beside it: give the "
                    "path of the .bed, uncompressed",
                    shown_path(path)));
  for (const auto& [magic, name] : foreign_formats) {
    if (bytes.starts_with(magic)) {
      throw InputError(
          fmt::format("{}: {} is not supported; convert it to CSV, svmlight or .npy (UTF-8 text, plain, gzip or zstd)",
                      shown_path(path), name));
    }
  }
  return looks_like_svmlight(bytes) ? Content::svmlight : Content::table;
}

void reject_nul(std::string_view text, std::size_t from, const std::string& path) {
  const std::size_t at = text.find('\0', from);
  if (at == std::string_view::npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(fmt::format("{}, line {}: a NUL byte; this is not a text file (save tables as UTF-8 text)",
                               shown_path(path), line));
}

}  // namespace cavity
