#include "read/join_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/csv_head.hpp"
#include "read/id_mismatch.hpp"
#include "read/keep_samples.hpp"
#include "read/labels.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

bool missing(const std::string& text) { return read_value(text).kind == Kind::missing; }

/// The only column whose texts repeat, where it is called as what studies ask about.
std::optional<std::size_t> only_outcome(const SampleSheet& sheet) {
  std::optional<std::size_t> found;
  for (std::size_t column = 0; column < sheet.columns.size(); ++column) {
    std::set<std::string_view> texts;
    std::size_t rows = 0;
    for (const auto& row : sheet.rows) {
      const Kind kind = read_value(row[column]).kind;
      if (kind == Kind::number) rows = texts.size();
      if (kind == Kind::number) break;
      if (kind == Kind::missing) continue;
      texts.insert(row[column]);
      ++rows;
    }
    if (column == sheet.id || texts.size() == rows) continue;  // numbers, or ids
    if (found) return std::nullopt;
    found = column;
  }
  return found && is_outcome_name(sheet.columns[*found]) ? found : std::nullopt;
}

std::optional<std::size_t> label_column(const SampleSheet& sheet, const ReadOptions& options) {
  if (!options.label.empty()) return sheet.find(options.label);
  for (std::size_t column = 0; column < sheet.columns.size(); ++column)
    if (column != sheet.id && is_label_name(sheet.columns[column])) return column;
  return only_outcome(sheet);
}

/// "'diagnosis' (n, t)": the columns that could be the label.
std::string columns_of_two(const SampleSheet& sheet) {
  std::string out;
  for (std::size_t column = 0; column < sheet.columns.size(); ++column) {
    std::set<std::string> classes;
    for (const auto& row : sheet.rows)
      if (classes.size() < 3 && !missing(row[column])) classes.insert(class_of(row[column]));
    if (classes.size() != 2 || column == sheet.id) continue;
    out += fmt::format("{}{} ({}, {})", out.empty() ? "" : ", ", shown(sheet.columns[column]), shown(*classes.begin()),
                       shown(*classes.rbegin()));
  }
  return out.empty() ? "; none of its columns has two different values" : "; columns with two values: " + out;
}

/// A position counts columns of the sheet, never of the table.
bool is_position(const std::string& label) {
  return !label.empty() && label.find_first_not_of("0123456789") == std::string::npos;
}

[[noreturn]] void refuse_label(const SampleSheet& sheet, const ReadOptions& options) {
  if (options.label.empty())
    throw UsageError(fmt::format("{}: which column is the label? Name it with `label`{}", shown_path(sheet.path),
                                 columns_of_two(sheet)));
  throw UsageError(fmt::format("{}: no label column {}, neither here nor in the table{}", shown_path(sheet.path),
                               shown(options.label), nearest_names(options.label, sheet.columns)));
}

struct Pair {
  std::size_t sample, row;  // of the table, of the sheet
};

std::vector<Pair> pair_by_position(const SampleSheet& sheet, Dataset& data) {
  if (sheet.rows.size() != data.samples())
    throw InputError(
        fmt::format("{}: {} for {} of a table that has no ids; add ids to the table, or a line for every "
                    "sample in its order",
                    shown_path(sheet.path), counted(sheet.rows.size(), "line"), counted(data.samples(), "sample")));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < data.samples(); ++i) {
    pairs.push_back({i, i});
    data.sample_names[i] = sheet.id_of(i);
  }
  data.notes.push_back("sample sheet: the table has no ids, so line k of the sheet is taken for its sample k");
  return pairs;
}

/// PLINK's names are family:id where ids alone repeat.
std::vector<Pair> pair_by_id(const SampleSheet& sheet, const Dataset& data) {
  std::vector<Pair> pairs;
  std::vector<bool> used(sheet.rows.size(), false);
  for (std::size_t i = 0; i < data.samples(); ++i) {
    const auto place = sheet.places.find(data.sample_names[i]);
    if (place == sheet.places.end()) continue;
    if (used[place->second])
      throw InputError(
          fmt::format("sample {} comes twice in the table and has one line in the sample sheet {}; ids "
                      "must differ",
                      shown(place->first), shown_path(sheet.path)));
    used[place->second] = true;
    pairs.push_back({i, place->second});
  }
  return pairs;
}

std::vector<Pair> pair_samples(const SampleSheet& sheet, Dataset& data) {
  std::vector<Pair> pairs = pair_by_id(sheet, data);
  const bool no_ids = data.sample_names == numbered_names("", 1, data.samples());
  if (no_ids && (pairs.empty() || data.id_name.empty()) && pairs.size() < data.samples())
    return pair_by_position(sheet, data);
  if (pairs.empty()) throw InputError(no_common_id(sheet, data.sample_names));
  return pairs;
}

void note_who_is_missing(const SampleSheet& sheet, const std::vector<Pair>& pairs, Dataset& data) {
  std::vector<bool> sample(data.samples(), false), row(sheet.rows.size(), false);
  for (const Pair& pair : pairs) sample[pair.sample] = row[pair.row] = true;
  std::vector<std::string> no_line, no_data;
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (!sample[i]) no_line.push_back(data.sample_names[i]);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!row[i]) no_data.push_back(sheet.id_of(i));
  data.notes.push_back(
      fmt::format("sample sheet: {} found by {}", counted(pairs.size(), "sample"), shown(sheet.columns[sheet.id])));
  if (!no_line.empty())
    data.notes.push_back(fmt::format("{} of the table left out, not in the sample sheet: {}",
                                     counted(no_line.size(), "sample"), shown_names(no_line, 8)));
  if (!no_data.empty())
    data.notes.push_back(fmt::format("{} of the sample sheet not in the table: {}", counted(no_data.size(), "line"),
                                     shown_names(no_data, 8)));
}

/// The samples whose label is known; the others are noted.
std::vector<Pair> labelled(std::vector<Pair> pairs, const SampleSheet& sheet, std::size_t column, Dataset& data) {
  std::vector<std::string> unknown;
  std::vector<Pair> out;
  for (const Pair& pair : pairs) {
    if (missing(sheet.rows[pair.row][column]))
      unknown.push_back(sheet.id_of(pair.row));
    else
      out.push_back(pair);
  }
  if (out.empty())
    throw InputError(fmt::format("{}: column {} is empty for every sample of the table", shown_path(sheet.path),
                                 shown(sheet.columns[column])));
  if (!unknown.empty())
    data.notes.push_back(fmt::format("{} left out, their label is missing: {}", counted(unknown.size(), "sample"),
                                     shown_names(unknown, 8)));
  return out;
}

std::vector<std::string> values_of(const SampleSheet& sheet, std::size_t column, const std::vector<Pair>& pairs) {
  std::vector<std::string> out;
  for (const Pair& pair : pairs) out.push_back(sheet.rows[pair.row][column]);
  return out;
}

void take_labels(const SampleSheet& sheet, std::size_t column, const std::vector<Pair>& pairs,
                 const ReadOptions& options, Dataset& data) {
  data.classes.clear();
  data.label_name = sheet.columns[column];
  data.notes.push_back(fmt::format("label: column {} of the sample sheet", shown(data.label_name)));
  LabelTexts texts{values_of(sheet, column, pairs), {}, sheet.path};
  for (const Pair& pair : pairs) texts.lines.push_back(sheet.lines[pair.row]);
  assign_labels(data, texts, options);
}

/// In the order asked for, wherever each comes from.
void take_covariates(const SampleSheet& sheet, const std::vector<Pair>& pairs, const ReadOptions& options,
                     Dataset& data) {
  std::vector<CovariateColumn> out;
  auto from_table = data.covariates.begin();
  for (const std::string& wanted : options.covariates) {
    const auto column = sheet.find(wanted);
    if (column)
      out.push_back({sheet.columns[*column], values_of(sheet, *column, pairs)});
    else
      out.push_back(std::move(*from_table++));
  }
  data.covariates = std::move(out);
}

}  // namespace

ReadOptions left_to_the_table(const SampleSheet& sheet, const ReadOptions& options) {
  ReadOptions out = options;
  out.sample_sheet.clear();
  out.sample_id.clear();
  out.known_samples.column = sheet.columns[sheet.id];
  out.known_samples.columns = sheet.columns;
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) out.known_samples.ids.push_back(sheet.id_of(row));
  std::erase_if(out.covariates, [&](const std::string& name) { return sheet.find(name).has_value(); });
  if (sheet.find(options.group)) out.group.clear();
  out.labels_required = false;  // join_samples sees to it
  if (label_column(sheet, options)) {
    out.labels_elsewhere = true;
    out.label.clear();
  } else if (is_position(options.label)) {
    refuse_label(sheet, options);
  }
  return out;
}

void join_samples(const SampleSheet& sheet, const ReadOptions& options, Dataset& data) {
  data.notes.insert(data.notes.end(), sheet.notes.begin(), sheet.notes.end());
  std::vector<Pair> pairs = pair_samples(sheet, data);
  note_who_is_missing(sheet, pairs, data);
  const auto label = label_column(sheet, options);
  const bool in_table = !data.classes.empty() && (options.label.empty() || data.label_name == options.label);
  if (!label && options.labels_required && !in_table) refuse_label(sheet, options);
  if (label && options.labels_required) pairs = labelled(std::move(pairs), sheet, *label, data);
  std::vector<std::size_t> samples;
  for (const Pair& pair : pairs) samples.push_back(pair.sample);
  keep_samples(samples, data);
  if (label) take_labels(sheet, *label, pairs, options, data);
  take_covariates(sheet, pairs, options, data);
  if (const auto group = sheet.find(options.group)) data.groups = values_of(sheet, *group, pairs);
  data.id_name = sheet.columns[sheet.id];
}

}  // namespace cavity
