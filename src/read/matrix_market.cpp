#include "read/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/labels.hpp"
#include "read/labels_file.hpp"
#include "read/word_lines.hpp"
#include "table/matrix_size.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

constexpr std::string_view spaces = " \t\r";
constexpr std::size_t largest_size = 2147483647;

/// The lines that are neither comments nor empty.
class Lines : public WordLines {
 public:
  using WordLines::WordLines;

  bool next() {
    while (WordLines::next())
      if (!blank() && !line().starts_with('%')) return true;
    return false;
  }

  /// A whole number from `least` to `most`.
  std::size_t whole(const char* what, std::size_t least, std::size_t most) {
    const std::string_view text = word();
    std::size_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value < least || value > most)
      fail(text, fmt::format("is no {} from {} to {}", what, least, most));
    return value;
  }

  void expect_end() {
    const std::string_view extra = word();
    if (!extra.empty()) fail(extra, "is one word too many");
  }
};

struct Banner {
  std::size_t rows = 0, cols = 0, values = 0;
  bool pattern = false;
  std::size_t end = 0;  // offset of the first entry
};

Banner read_header(std::string_view text, const std::string& path) {
  const std::string_view banner = text.substr(0, std::min(text.find('\n'), text.size()));
  std::array<std::string, 5> words;
  std::size_t at = 0;
  for (std::string& word : words) {
    const std::size_t begin = std::min(banner.find_first_not_of(spaces, at), banner.size());
    at = std::min(banner.find_first_of(spaces, begin), banner.size());
    word = lower_case(banner.substr(begin, at - begin));
  }
  const auto refuse = [&](const std::string& word, const char* wanted) {
    throw InputError(fmt::format("{}, line 1: {} in the Matrix Market header; only {} can be read", shown_path(path),
                                 shown(word), wanted));
  };
  if (words[1] != "matrix") refuse(words[1], "a matrix");
  if (words[2] != "coordinate") refuse(words[2], "coordinate format (a dense array goes into a .npy)");
  if (words[3] != "real" && words[3] != "integer" && words[3] != "pattern")
    refuse(words[3], "real, integer or pattern");
  if (words[4] != "general") refuse(words[4], "general (samples x features, nothing mirrored)");
  Banner header;
  header.pattern = words[3] == "pattern";
  Lines lines(text, path);
  if (!lines.next())
    throw InputError(fmt::format("{}: the line of sizes is missing: rows columns values", shown_path(path)));
  header.rows = lines.whole("number of rows", 1, largest_size);
  header.cols = lines.whole("number of columns", 1, largest_size);
  header.values = lines.whole("number of values", 0, header.rows * header.cols);
  lines.expect_end();
  header.end = static_cast<std::size_t>(lines.position() - text.data());
  return header;
}

float parse_value(Lines& lines) {
  const std::string_view text = lines.word();
  const Value value = read_value(text);
  const auto number = static_cast<float>(value.number);
  if (value.kind == Kind::infinite || std::isinf(number))
    lines.fail(text, "is infinite or too large for a 32-bit float");
  if (value.kind == Kind::text || text.empty()) lines.fail(text, "is no number");
  return number;
}

/// Calls visit(row, column, value) for every entry, counted from 0.
template <class Visit>
void for_values(const Bytes& bytes, const std::string& path, const Banner& header, const Visit& visit) {
  Lines lines(bytes.view(), path);
  lines.next();  // the sizes
  std::size_t count = 0;
  for (; lines.next(); ++count) {
    const std::size_t row = lines.whole("row", 1, header.rows) - 1, column = lines.whole("column", 1, header.cols) - 1;
    const float value = header.pattern ? 1.0F : parse_value(lines);
    lines.expect_end();
    if (count < header.values) visit(row, column, value);
    if (count % 65536 == 0) bytes.release_before(lines.position());
  }
  if (count != header.values)
    throw InputError(fmt::format("{}: {} values where its header says {}; the file is {}", shown_path(path), count,
                                 header.values, count < header.values ? "cut short" : "damaged"));
}

/// Columns are samples: only then do the labels, or the model's features, fit.
bool is_transposed(const Banner& header, const ReadOptions& options) {
  if (options.orientation != Orientation::detect) return options.orientation == Orientation::features_in_rows;
  if (header.rows == header.cols) return false;
  if (!options.expected_features.empty()) {
    const std::size_t wanted = options.expected_features.size();
    return header.cols != wanted && header.rows == wanted;
  }
  if (options.labels_file.empty()) return false;
  const auto fit = [&](std::size_t samples) {  // 2: one label a sample; 1: a header before them; 0: not at all
    std::vector<std::string> notes;
    try {
      read_labels_file(options.labels_file, samples, notes);
      return notes.empty() ? 2 : 1;
    } catch (const InputError&) {
      return 0;
    }
  };
  return fit(header.cols) > fit(header.rows);
}

void check_options(const ReadOptions& options) {
  if (!options.sample_id.empty() || !options.covariates.empty() || (options.labels_required && !options.label.empty()))
    throw UsageError(
        "a Matrix Market file has no named columns; labels stand in a file of their own, one a line (`labels`), "
        "covariates "
        "in a file with ids (`covariate_file`)");
  if (options.labels_required && options.labels_file.empty())
    throw UsageError("a Matrix Market file holds no labels; give them in a file of their own, one a line (`labels`)");
}

}  // namespace

Dataset read_matrix_market(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  check_options(options);
  reject_nul(bytes.view(), 0, path);
  const Banner header = read_header(bytes.view(), path);
  // Every line is looked at before anything of the header's size is asked for.
  for_values(bytes, path, header, [](std::size_t, std::size_t, float) {});
  const bool transposed = is_transposed(header, options);
  const std::size_t samples = transposed ? header.cols : header.rows, columns = transposed ? header.rows : header.cols;
  Dataset dataset;
  dataset.notes.push_back(fmt::format("format: Matrix Market, {} x {}{}", header.rows, header.cols,
                                      transposed ? ", its columns are the samples" : ""));
  LabelTexts labels;
  if (!options.labels_file.empty()) labels = read_labels_file(options.labels_file, samples, dataset.notes);
  assign_labels(dataset, labels, options);
  const auto oriented = [&](const auto& visit) {
    for_values(bytes, path, header, [&](std::size_t row, std::size_t column, float value) {
      if (transposed) std::swap(row, column);
      visit(row, column, value);
    });
  };
  ColumnBuilder builder(samples, columns, header.values, path);
  oriented([&](std::size_t, std::size_t column, float) { builder.count(column); });
  builder.start_filling();
  oriented([&](std::size_t row, std::size_t column, float value) { builder.add(row, column, value); });
  CompressedColumns values = builder.take();
  if (const auto repeated = sort_rows(values)) {
    const auto [row, column] = transposed ? std::pair(repeated->second, repeated->first) : *repeated;
    throw InputError(
        fmt::format("{}: row {}, column {} is given twice; remove one of them", shown_path(path), row + 1, column + 1));
  }
  if (options.compact && worth_sparse(header.values, samples, columns)) {
    assign_sparse(dataset, std::move(values));
  } else {
    const SparseTable table(std::move(values));
    std::vector<std::uint32_t> all(columns);
    for (std::size_t l = 0; l < columns; ++l) all[l] = static_cast<std::uint32_t>(l);
    dataset.features = table.dense(all);
  }
  dataset.feature_names = numbered_names("x", 1, columns);
  dataset.sample_names = numbered_names("", 1, samples);
  return dataset;
}

}  // namespace cavity
