#include "read/features_in_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/annotation_names.hpp"
#include "read/csv_block.hpp"
#include "read/csv_rows.hpp"
#include "read/duplicate_names.hpp"
#include "read/keep_samples.hpp"
#include "read/labels.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

struct NamedRow {
  const char* begin;
  std::size_t line;
  std::string_view name;  // its first field
};

/// All rows of data in order; a row ends where the next begins.
struct NamedRows {
  std::vector<NamedRow> rows;
  std::deque<std::string> rewritten;  // names with doubled quotes
  const char* end;

  const char* end_of(std::size_t row) const { return row + 1 < rows.size() ? rows[row + 1].begin : end; }
};

NamedRows name_rows(const CsvHead& head, const char* end) {
  NamedRows out;
  out.end = end;
  std::string scratch;
  std::size_t line = head.data_line;
  for (const char* p = skip_blank_rows(head.data, end); p != end;) {
    const char* row_end = find_row_end(p, end, head.delimiter);
    const std::string_view name = read_field(p, row_end, head.delimiter, scratch).text;
    const bool in_text = name.empty() || (name.data() >= p && name.data() < row_end);
    out.rows.push_back({p, line, in_text ? name : out.rewritten.emplace_back(name)});
    const char* next = skip_blank_rows(row_end, end);
    line += static_cast<std::size_t>(std::count(p, next, '\n'));
    p = next;
  }
  return out;
}

/// The fields of a row after its name; InputError when it has more or fewer than the first row.
std::vector<std::string> fields_of(const NamedRows& rows, std::size_t row, const CsvHead& head,
                                   const std::string& path) {
  const char* p = rows.rows[row].begin;
  const char* const end = find_row_end(p, rows.end, head.delimiter);
  std::vector<std::string> out;
  std::string scratch;
  while (true) {
    const Field field = read_field(p, end, head.delimiter, scratch);
    out.emplace_back(field.text);
    if (field.next == end || field.fault != Fault::none) break;
    p = field.next + 1;
  }
  if (out.size() != head.columns()) ragged(head, path, rows.rows[row].begin, rows.end, rows.rows[row].line);
  out.erase(out.begin());
  return out;
}

using Names = std::unordered_set<std::string_view>;

Names set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

std::size_t known_in_header(const CsvHead& head, const Names& known) {
  return static_cast<std::size_t>(
      std::count_if(head.first.begin(), head.first.end(), [&](std::string_view name) { return known.contains(name); }));
}

std::size_t known_in_rows(const NamedRows& rows, const Names& known) {
  return static_cast<std::size_t>(
      std::count_if(rows.rows.begin(), rows.rows.end(), [&](const NamedRow& row) { return known.contains(row.name); }));
}

bool is_all_text(const std::vector<std::string>& values) {
  return std::none_of(values.begin(), values.end(),
                      [](const std::string& value) { return read_value(value).kind == Kind::number; });
}

bool few_classes(const std::vector<std::string>& values) {
  std::unordered_set<std::string> classes;
  for (const std::string& value : values)
    if (read_value(value).kind != Kind::missing) classes.insert(class_of(value));
  return classes.size() >= 2 && 2 * classes.size() <= std::max(values.size(), std::size_t{4});
}

/// Called as asked for; where nothing was asked for, called as label columns are and holding classes.
std::optional<std::size_t> find_label_row(const NamedRows& rows, const CsvHead& head, const std::string& path,
                                          const ReadOptions& options) {
  if (options.labels_elsewhere) return std::nullopt;
  const Names model = set_of(options.expected_features);
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const std::string_view name = rows.rows[row].name;
    if (model.contains(name)) continue;
    if (!options.label.empty() && name == options.label) return row;
    const bool outcome = is_outcome_name(name);
    if (!options.label.empty() || !(is_label_name(name) || outcome)) continue;
    const std::vector<std::string> values = fields_of(rows, row, head, path);
    if (few_classes(values) && (!outcome || is_all_text(values))) return row;
  }
  return std::nullopt;
}

bool names_label(const CsvHead& head, const ReadOptions& options) {
  return std::any_of(head.first.begin(), head.first.end(), [&](std::string_view name) {
    return options.label.empty() ? is_label_name(name) : name == options.label;
  });
}

bool numbers_beside_names(const CsvHead& head) {
  for (std::size_t column = 1; column < head.columns(); ++column)
    if (!head.numbers[column] && !is_annotation_name(head.first[column])) return false;
  return head.columns() > 2 && head.texts[0] && !head.numbers[0];
}

/// Classes repeat, names hardly do: two of them, or a tenth.
bool hardly_repeat(const NamedRows& rows) {
  Names different;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    different.insert(rows.rows[i].name);
    if (i == 20 && different.size() < 10) return false;
  }
  return 10 * (different.size() + 2) >= 9 * rows.rows.size();
}

/// Without a model or a sheet to go by.
bool looks_turned(const CsvHead& head, const char* end, const ReadOptions& options) {
  if (!head.header || names_label(head, options) || !numbers_beside_names(head)) return false;
  const NamedRows rows = name_rows(head, end);
  if (!hardly_repeat(rows)) return false;
  return find_label_row(rows, head, "", options) || rows.rows.size() >= 2 * head.columns();
}

struct Plan {
  CsvLayout layout;                         // columns: the names, samples, those left out
  std::vector<std::size_t> features;        // rows
  std::vector<std::size_t> covariates;      // rows, in the order asked for
  std::optional<std::size_t> label, group;  // rows
  std::vector<std::string> left_out;        // names of columns that hold text, or are not in the sheet
  std::vector<std::string> annotation;      // names of columns
  std::vector<std::string> rest_of_counts;  // names of rows
  std::size_t unknown = 0;                  // rows that the model does not know
};

[[noreturn]] void no_covariate(const std::string& name, const std::string& path, const ReadOptions& options) {
  const auto& sheet = options.known_samples.columns;
  const std::string message =
      fmt::format("{}: no covariate row {}, and the features are in rows{}", shown_path(path), shown(name),
                  sheet.empty() ? "; covariates can also stand in a sample sheet (`samples`)"
                                : ", nor has the sample sheet such a column" + nearest_names(name, sheet));
  // In prediction it is the model that asks for covariates, so their absence is the file's fault.
  if (!options.expected_features.empty()) throw InputError(message);
  throw UsageError(message);
}

std::optional<std::size_t> find_group_row(const std::unordered_map<std::string_view, std::size_t>& place,
                                          const std::string& path, const ReadOptions& options) {
  if (options.group.empty()) return std::nullopt;
  const auto at = place.find(options.group);
  if (at == place.end())
    throw UsageError(
        fmt::format("{}: no group row {}, and the features are in rows; groups can also stand in a sample sheet "
                    "(`samples`)",
                    shown_path(path), shown(options.group)));
  return at->second;
}

void plan_rows(const NamedRows& rows, const CsvHead& head, const std::string& path, const ReadOptions& options,
               Plan& plan) {
  plan.label = find_label_row(rows, head, path, options);
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t row = 0; row < rows.rows.size(); ++row) place.emplace(rows.rows[row].name, row);
  for (const std::string& name : options.covariates) {
    const auto at = place.find(name);
    if (at == place.end()) no_covariate(name, path, options);
    plan.covariates.push_back(at->second);
  }
  plan.group = find_group_row(place, path, options);
  const Names model = set_of(options.expected_features), dropped = set_of(options.drop);
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const std::string_view name = rows.rows[row].name;
    if (dropped.contains(name)) continue;
    if (is_rest_of_counts(name) && !model.contains(name)) {
      plan.rest_of_counts.emplace_back(name);
      continue;
    }
    if (plan.label == row || plan.group == row ||
        std::find(plan.covariates.begin(), plan.covariates.end(), row) != plan.covariates.end())
      continue;
    if (model.empty() || model.contains(name))
      plan.features.push_back(row);
    else
      ++plan.unknown;
  }
  if (plan.features.empty() && !model.empty())
    throw InputError(fmt::format("{}: no row is a feature of the model, whose features are {}", shown_path(path),
                                 shown_names(options.expected_features, 8)));
}

void plan_columns(const CsvHead& head, const std::string& path, const ReadOptions& options, Plan& plan) {
  CsvLayout& layout = plan.layout;
  Names known = set_of(options.known_samples.ids);
  if (known_in_header(head, known) == 0) known.clear();  // the join says so, with all of them
  const Names dropped = set_of(options.drop);
  const bool only_numbers = !plan.label && !plan.group && plan.covariates.empty();
  layout.roles.assign(head.columns(), Role::ignored);
  layout.roles[0] = Role::sample_id;
  layout.sample_id = 0;
  for (std::size_t column = 0; column < head.columns(); ++column) {
    layout.names.push_back(head.header ? std::string(head.first[column]) : std::to_string(column));
    if (column == 0 || dropped.contains(layout.names[column])) continue;
    if (head.header && known.empty() && is_annotation_name(layout.names[column])) {
      plan.annotation.push_back(layout.names[column]);
      continue;
    }
    const bool sample = known.empty() ? !(only_numbers && head.texts[column]) : known.contains(layout.names[column]);
    if (sample) {
      layout.roles[column] = Role::feature;
      ++layout.features;
    } else {
      plan.left_out.push_back(layout.names[column]);
    }
  }
  if (layout.features == 0)
    throw InputError(fmt::format("{}: features are in rows, and no column is a sample; the columns are {}",
                                 shown_path(path), shown_names(layout.names, 8)));
}

void require_labels(const Plan& plan, const NamedRows& rows, const std::string& path, const ReadOptions& options) {
  if (plan.label || !options.labels_required) return;
  if (!options.label.empty())
    throw UsageError(
        fmt::format("{}: features are in rows, and no row is called {}; labels of samples in columns come "
                    "from a sample sheet: `samples=sheet.tsv` and `label`, a column of it",
                    shown_path(path), shown(options.label)));
  throw UsageError(fmt::format(
      "{}: the first column holds names ({}), the others numbers: {} features in rows, {} samples in columns, and no "
      "labels. Give them in a sample sheet, a table with a line a sample whose first column holds the names of these "
      "columns: `samples=sheet.tsv` and `label`, a column of it. If rows are samples after all, name their label "
      "column "
      "(`label`)",
      shown_path(path), shown(rows.rows[plan.features.front()].name), plan.features.size(), plan.layout.features));
}

/// Runs of rows that are features, about 4 MB each.
std::vector<Block> feature_blocks(const NamedRows& rows, const std::vector<std::size_t>& features) {
  constexpr std::ptrdiff_t size = std::ptrdiff_t{4} << 20;
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::size_t row = features[i];
    const char* const begin = rows.rows[row].begin;
    const bool follows = i > 0 && features[i - 1] + 1 == row;
    if (!follows || blocks.back().end - blocks.back().begin >= size)
      blocks.push_back({begin, begin, rows.rows[row].line, i, 0});
    blocks.back().end = rows.end_of(row);
    ++blocks.back().rows;
  }
  return blocks;
}

FeatureMatrix turned(const FeatureMatrix& from, const std::string& path) {
  constexpr std::size_t tile = 64;  // both sides of a tile stay in cache
  FeatureMatrix out = allocate_features(from.cols, from.rows, path);
  for (std::size_t i = 0; i < from.rows; i += tile)
    for (std::size_t j = 0; j < from.cols; j += tile)
      for (std::size_t r = i; r < std::min(i + tile, from.rows); ++r)
        for (std::size_t c = j; c < std::min(j + tile, from.cols); ++c) out.row(c)[r] = from.row(r)[c];
  return out;
}

void check_names(const NamedRows& rows, const std::vector<std::size_t>& features, const std::string& path) {
  std::unordered_map<std::string_view, std::size_t> lines;
  std::string first;
  std::size_t again = 0;
  for (const std::size_t row : features) {
    const auto [twin, fresh] = lines.emplace(rows.rows[row].name, rows.rows[row].line);
    if (!fresh && again++ == 0)
      first =
          fmt::format("lines {} and {} have the same name, {}", twin->second, rows.rows[row].line, shown(twin->first));
  }
  if (again > 0) throw InputError(fmt::format("{}: {}{}", shown_path(path), first, duplicates_cure(again)));
}

void tell_rows_apart(NamedRows& rows) {
  std::vector<std::string> names;
  for (const NamedRow& row : rows.rows) names.emplace_back(row.name);
  tell_apart(names);
  for (std::size_t row = 0; row < names.size(); ++row)
    if (rows.rows[row].name != names[row]) rows.rows[row].name = rows.rewritten.emplace_back(std::move(names[row]));
}

/// What a row says of every sample.
std::vector<std::string> sample_values(const NamedRows& rows, std::size_t row, const CsvHead& head, const Plan& plan,
                                       const std::string& path) {
  const std::vector<std::string> fields = fields_of(rows, row, head, path);
  std::vector<std::string> out;
  for (std::size_t column = 1; column < head.columns(); ++column)
    if (plan.layout.roles[column] == Role::feature) out.push_back(fields[column - 1]);
  return out;
}

void note_turn(const Plan& plan, const ReadOptions& options, std::vector<std::string>& notes) {
  notes.push_back(fmt::format("features in rows: {} rows are features, {} columns samples{}", plan.features.size(),
                              plan.layout.features,
                              options.orientation == Orientation::detect ? " (`no_transpose` if not)" : ""));
  if (!plan.annotation.empty())
    notes.push_back("columns left out, annotation of features: " + shown_names(plan.annotation, 8));
  if (!plan.rest_of_counts.empty())
    notes.push_back("rows left out, reads that are of no gene: " + shown_names(plan.rest_of_counts, 8));
  if (!plan.left_out.empty())
    notes.push_back(fmt::format("columns left out, {}: {}",
                                options.known_samples.ids.empty() ? "they hold text" : "not in the sample sheet",
                                shown_names(plan.left_out, 8)));
  if (plan.unknown > 0) notes.push_back(counted(plan.unknown, "row") + " left out, not in the model");
}

}  // namespace

bool has_features_in_rows(CsvHead& head, const char* end, const ReadOptions& options) {
  if (const Names known = set_of(options.known_samples.ids); !known.empty()) {
    const std::size_t in_rows = known_in_rows(name_rows(head, end), known);
    const std::size_t in_header = head.header ? known_in_header(head, known) : 0;
    head.names_samples = in_rows > 0;
    if (options.orientation == Orientation::detect && in_header + in_rows > 0) return in_header > in_rows;
  }
  if (options.orientation != Orientation::detect) return options.orientation == Orientation::features_in_rows;
  const Names model = set_of(options.expected_features);
  if (model.empty()) return looks_turned(head, end, options);
  return head.header && head.columns() > 1 && known_in_header(head, model) == 0 &&
         known_in_rows(name_rows(head, end), model) > 0;
}

Dataset read_features_in_rows(const Bytes& bytes, const char* end, const CsvHead& head, const std::string& path,
                              const ReadOptions& options, std::vector<std::string> notes) {
  NamedRows rows = name_rows(head, end);
  if (options.duplicates == Duplicates::suffix) tell_rows_apart(rows);
  Plan plan;
  plan_rows(rows, head, path, options, plan);
  plan_columns(head, path, options, plan);
  if (plan.features.empty()) throw InputError(fmt::format("{}: no features", shown_path(path)));
  require_labels(plan, rows, path, options);
  if (options.duplicates == Duplicates::refuse) check_names(rows, plan.features, path);
  note_turn(plan, options, notes);
  Dataset lying, out;
  lying.features = allocate_features(plan.features.size(), plan.layout.features, path);
  TextColumns texts;
  texts.sample_names.resize(plan.features.size());
  parse_blocks(feature_blocks(rows, plan.features), BlockParser(head, plan.layout, path, lying, texts), bytes,
               options.threads);
  out.features = turned(lying.features.dense(), path);
  lying.features = {};
  out.notes = std::move(notes);
  for (const std::size_t row : plan.features) out.feature_names.emplace_back(rows.rows[row].name);
  for (std::size_t i = 0; i < out.feature_names.size(); ++i)
    if (out.feature_names[i].empty()) out.feature_names[i] = fmt::format("x{}", i + 1);
  for (std::size_t column = 1; column < head.columns(); ++column)
    if (plan.layout.roles[column] == Role::feature) out.sample_names.push_back(plan.layout.names[column]);
  for (const std::size_t row : plan.covariates)
    out.covariates.push_back({std::string(rows.rows[row].name), sample_values(rows, row, head, plan, path)});
  if (plan.group) out.groups = sample_values(rows, *plan.group, head, plan, path);
  if (!plan.label) return out;
  out.label_name = rows.rows[*plan.label].name;
  out.notes.push_back(fmt::format("label: row {}", shown(out.label_name)));
  const std::vector<std::size_t> lines(out.samples(), rows.rows[*plan.label].line);
  LabelTexts labels{sample_values(rows, *plan.label, head, plan, path), lines, path};
  drop_unlabelled(labels, options, out);
  assign_labels(out, labels, options);
  return out;
}

}  // namespace cavity
