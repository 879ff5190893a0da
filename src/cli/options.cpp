#include "cli/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"
#include "file/messages.hpp"

namespace cavity::cli {

std::vector<double> parse_numbers(const std::string& text, const std::string& option) {
  std::vector<double> out;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    double value = 0;
    const auto [last, code] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (code != std::errc() || last != part.data() + part.size() || part.empty())
      throw UsageError(fmt::format("{}: {} is not a number (a list looks like 0.01,0.1)", option, shown(part)));
    out.push_back(value);
    at = end + 1;
  }
  return out;
}

std::size_t parse_bytes(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, number);
  const std::string unit(last, end);
  const double factor = unit.empty() ? 1 : unit == "K" ? 1e3 : unit == "M" ? 1e6 : unit == "G" ? 1e9 : 0;
  constexpr double least = 1e6, most = 1e15;
  if (code != std::errc() || !(number * factor >= least && number * factor <= most))
    throw UsageError(fmt::format("{} is no number of bytes of at least 1M: write 500M or 2G", shown(text)));
  return static_cast<std::size_t>(number * factor);
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](const std::string& text) {
    std::int64_t value = 0;
    const auto [last, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = code == std::errc() && last == text.data() + text.size();
    if (whole && value >= least && value <= most) return std::string();
    return fmt::format("{} is not a whole number from {} to {}", shown(text), least, most);
  };
  return CLI::Validator(check, "", "whole_number");
}

void ReadFlags::add(CLI::App& command) {
  command.option_defaults()->group("Data");
  command.add_option("--label", options.label, "label column: name or position (default: label, class, y, target)");
  command.add_option("--samples", options.sample_sheet,
                     "sample sheet: a table with a line a sample, found by id, that holds label, group and covariates");
  command.add_option("--group", options.group, "column that says which samples belong together, such as a patient");
  auto* transpose = command.add_flag(
      "--transpose", [this](std::int64_t) { options.orientation = Orientation::features_in_rows; },
      "features are in rows, samples in columns (found by itself where it is clear)");
  command
      .add_flag(
          "--no-transpose", [this](std::int64_t) { options.orientation = Orientation::samples_in_rows; },
          "samples are in rows, whatever it looks like")
      ->excludes(transpose);
  command.add_option("--labels", options.labels_file, "labels file, one a line (for .npy and Matrix Market)");
  command.add_option("--covariate-file", options.covariate_file,
                     "table of columns that are always kept, a line a sample, found by id (IID or first column)");
  command.add_option_function<std::string>(
      "--memory", [this](const std::string& text) { options.memory = parse_bytes(text); },
      "bytes of a PLINK .bed or a Fortran-ordered .npy to hold in memory at a time, such as 2G (default: all); of a "
      "compressed file: what reading it may take where that is more than its length suggests");
  command.add_option("--id", options.sample_id,
                     "column of sample ids, of the sample sheet where there is one: name or position");
  command.add_flag(
      "--no-header", [this](std::int64_t) { options.header = Header::absent; }, "the first line of the CSV is data");
  add_spellings(command);
  command.option_defaults()->group("Options");
}

void ReadFlags::add_spellings(CLI::App& command) {
  static const std::map<std::string, Decimal> decimals = {{"point", Decimal::point}, {"comma", Decimal::comma}};
  static const std::map<std::string, Duplicates> ways = {{"mean", Duplicates::mean},
                                                         {"sum", Duplicates::sum},
                                                         {"first", Duplicates::first},
                                                         {"suffix", Duplicates::suffix}};
  command.add_option("--drop", drop, "columns (features in rows: rows) that are left out: A,B,...");
  command.add_option("--sheet", options.sheet, "sheet of a workbook (.xlsx): name or position (default: the first)");
  command.add_option("--layer", options.layer,
                     "array of a .npz (default: the only one, or X); layer of an .h5ad (default: X; raw: raw/X)");
  command.add_option("--keep", keep, "columns that are features though they look like ids: A,B,...");
  command.add_option("--na", missing_words, "words that stand for a missing value, beside NA and NaN: .,None,-999");
  command
      .add_option_function<std::string>(
          "--decimal", [this](const std::string& word) { options.decimal = decimals.at(word); },
          "point or comma, in tables of text (default: found where all numbers agree)")
      ->check(CLI::IsMember(decimals));
  command
      .add_option_function<std::string>(
          "--duplicates", [this](const std::string& word) { options.duplicates = ways.at(word); },
          "features of one name become one: mean, sum, first; or suffix: .1, .2 tell them apart (default: refused)")
      ->check(CLI::IsMember(ways));
}

ReadOptions ReadFlags::resolved(unsigned threads) const {
  const auto append = [](const std::string& text, std::vector<std::string>& out) {
    std::size_t at = 0;
    while (!text.empty() && at <= text.size()) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      out.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  };
  ReadOptions out = options;
  out.threads = threads;
  append(covariates, out.covariates);
  append(missing_words, out.missing_words);
  append(drop, out.drop);
  append(keep, out.keep);
  return out;
}

bool colour_wanted() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

namespace {

/// Between the escapes that fit_text writes, plain.
std::string with_own_colours(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.size(), length = 0;
    for (const std::string_view own : {"\x1b[1m", "\x1b[33m", "\x1b[0m"})
      if (const std::size_t at = text.find(own); at < end) end = at, length = own.size();
    out += plain_lines(text.substr(0, end));
    out += text.substr(end, length);
    text.remove_prefix(end + length);
  }
  return out;
}

}  // namespace

bool progress_wanted(bool quiet) { return !quiet && isatty(STDERR_FILENO) != 0; }

void say(std::string_view text) {
  std::fputs(plain_lines(text).c_str(), stderr);
  std::fflush(stderr);
}

void say_over(std::string_view text) {
  std::fputs("\r\x1b[K", stderr);
  say(text);
}

void print(const std::string& whole) {
  const std::string text = isatty(STDOUT_FILENO) != 0 ? with_own_colours(whole) : whole;
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) throw ClosedPipe();
    if (n < 0) throw IoError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace cavity::cli
