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
  std::string_view name, cure;
};

constexpr std::array foreign_formats = {
    Foreign{"PAR1\x15"sv, "a Parquet file",
            "; in Python: pandas.read_parquet(FILE).to_csv(\"table.csv\"), in R: write.csv(arrow::read_parquet(FILE), "
            "\"table.csv\")"},
    Foreign{"ARROW1\0"sv, "a Feather (Arrow) file",
            "; in Python: pandas.read_feather(FILE).to_csv(\"table.csv\"), in R: write.csv(arrow::read_feather(FILE), "
            "\"table.csv\")"},
    Foreign{"FEA1\0"sv, "a Feather file", "; in R: write.csv(feather::read_feather(FILE), \"table.csv\")"},
    Foreign{"X\n\0\0\0"sv, "an R object (.rds)", "; in R: write.csv(readRDS(FILE), \"table.csv\")"},
    Foreign{"RDX2\n"sv, "an R workspace (.RData)",
            "; in R: load(FILE), which names its objects, then write.csv(OBJECT, \"table.csv\")"},
    Foreign{"RDX3\n"sv, "an R workspace (.RData)",
            "; in R: load(FILE), which names its objects, then write.csv(OBJECT, \"table.csv\")"},
    Foreign{"\x80\x02"sv, "a Python pickle", "; in Python: pandas.read_pickle(FILE).to_csv(\"table.csv\")"},
    Foreign{"\x80\x03"sv, "a Python pickle", "; in Python: pandas.read_pickle(FILE).to_csv(\"table.csv\")"},
    Foreign{"\x80\x04"sv, "a Python pickle", "; in Python: pandas.read_pickle(FILE).to_csv(\"table.csv\")"},
    Foreign{"\x80\x05"sv, "a Python pickle", "; in Python: pandas.read_pickle(FILE).to_csv(\"table.csv\")"},
    Foreign{"##fileformat=VCF"sv, "a VCF file",
            "; plink makes what is read here of it: plink --vcf FILE --make-bed --out cohort, then give cohort.bed"},
    Foreign{"BCF\2"sv, "a BCF file",
            "; plink makes what is read here of it: plink --bcf FILE --make-bed --out cohort, then give cohort.bed"},
    Foreign{"BAM\1"sv, "aligned reads (BAM)",
            ", which are counted first: featureCounts -a genes.gtf -o counts.txt *.bam, then give counts.txt"},
    Foreign{"CRAM\3"sv, "aligned reads (CRAM)",
            ", which are counted first: featureCounts -a genes.gtf -o counts.txt *.bam, then give counts.txt"},
    Foreign{"%PDF"sv, "a PDF document", "; ask for the table behind it, as text or as .xlsx"},
    Foreign{"\xd0\xcf\x11\xe0"sv, "an old Excel file (.xls)", "; save it as .xlsx or as CSV"},
    Foreign{"MATLAB 5.0"sv, "a MATLAB file", "; in MATLAB: writetable or writematrix(X, 'table.csv')"},
    Foreign{"<!DOCTYPE html"sv, "a web page", ": a login or an error was saved in place of the file; load it again"},
    Foreign{"<html"sv, "a web page", ": a login or an error was saved in place of the file; load it again"},
    Foreign{"BZh"sv, "a bzip2 file", "; decompress it first: bunzip2 FILE"},
    Foreign{"\xfd"
            "7zXZ\0"sv,
            "an xz file", "; decompress it first: unxz FILE"},
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
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) return Content::utf16;
  if (bytes.starts_with("PK\x03\x04"sv)) return Content::zip;
  if (bytes.starts_with("\x89HDF\r\n"sv)) return Content::hdf5;
  for (const auto& [magic, name, cure] : foreign_formats)
    if (bytes.starts_with(magic))
      throw InputError(fmt::format("{}: {} is not read here{}", shown_path(path), name, cure));
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
