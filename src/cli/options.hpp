// What several commands share: number lists, reading options, terminal manners.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/read.hpp"

namespace cavity::cli {

/// "0.1,0.2" -> values; UsageError naming the part that is no number.
std::vector<double> parse_numbers(const std::string& text, const std::string& option);

/// "500M", "2G"; at least a million. UsageError for anything else.
std::size_t parse_bytes(const std::string& text);

/// For options that take a whole number: CLI11 itself would read -1 as 2^64 - 1.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = 1000000000);

/// What a command that reads data says of them.
inline constexpr const char* data_formats =
    "CSV, TSV, .xlsx, svmlight, Matrix Market, .npy, .npz, .h5ad or 10x .h5, plain, gzip or zstd, a 10x folder, or a "
    "PLINK .bed; - is "
    "standard input";

struct ReadFlags {
  ReadOptions options;
  std::string covariates, missing_words, drop, keep;
  void add(CLI::App& command);
  ReadOptions resolved(unsigned threads) const;

 private:
  void add_spellings(CLI::App& command);
};

bool colour_wanted();              // standard output is a terminal and NO_COLOR is not set
bool progress_wanted(bool quiet);  // standard error is a terminal

/// A message on standard error, with nothing in it that drives a terminal; where even that cannot be written there is
/// nobody to tell.
void say(std::string_view text);

/// Over the line that stands there: how far the work is.
void say_over(std::string_view text);

/// Writes to standard output, to a terminal without what drives one but our own colours; ClosedPipe when nobody reads
/// it any more, any other failure is an IoError.
void print(const std::string& text);

}  // namespace cavity::cli
