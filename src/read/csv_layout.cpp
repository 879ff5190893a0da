#include "read/csv_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/duplicate_names.hpp"
#include "read/labels.hpp"
#include "read/text_columns.hpp"

namespace cavity {

namespace {

class Planner {
 public:
  Planner(const CsvHead& head, const std::string& path, const ReadOptions& options, std::vector<std::string>& notes)
      : head_(head),
        path_(path),
        options_(options),
        notes_(notes),
        texts_(text_kinds(head)),
        model_(options.expected_features.begin(), options.expected_features.end()) {}

  CsvLayout plan() {
    layout_.roles.assign(head_.columns(), Role::feature);
    name_columns();
    drop_columns();
    choose_sample_id();
    choose_covariates();
    choose_group();
    choose_label();
    leave_out_what_the_sheet_has();
    leave_out_unknown();
    leave_out_texts();
    number_features();
    check_names();
    return std::move(layout_);
  }

 private:
  TextKind kind_of(std::size_t column) const { return texts_.empty() ? TextKind::none : texts_[column]; }

  void name_columns() {
    layout_.names.reserve(head_.columns());
    for (std::size_t column = 0; column < head_.columns(); ++column) {
      const bool named = head_.header && !head_.first[column].empty();
      layout_.names.push_back(named ? std::string(head_.first[column])
                                    : fmt::format("{}{}", head_.header ? "x" : "", column + 1));
    }
    if (head_.header && options_.duplicates == Duplicates::suffix) tell_apart(layout_.names);
  }

  void drop_columns() {
    for (const std::string& wanted : options_.drop) {
      const auto column = find_column(wanted);
      if (column)
        take(*column, Role::ignored);
      else if (options_.expected_features.empty())
        no_such_column("dropped", wanted);
    }
    for (const std::string& wanted : options_.keep)
      if (!find_column(wanted) && options_.expected_features.empty()) no_such_column("kept", wanted);
  }

  std::optional<std::size_t> find_column(const std::string& wanted) const {
    if (head_.header) {
      const auto at = std::find(layout_.names.begin(), layout_.names.end(), wanted);
      if (at != layout_.names.end()) return static_cast<std::size_t>(at - layout_.names.begin());
    }
    std::size_t position = 0;
    const char* end = wanted.data() + wanted.size();
    const auto [rest, error] = std::from_chars(wanted.data(), end, position);
    const bool valid = rest == end && error == std::errc{} && position >= 1 && position <= head_.columns();
    return valid ? std::optional(position - 1) : std::nullopt;
  }

  [[noreturn]] void no_such_column(const char* role, const std::string& wanted) const {
    std::vector<std::string> names = options_.known_samples.columns;  // the sheet's first: they are few
    names.insert(names.end(), layout_.names.begin(), layout_.names.end());
    const std::string columns =
        head_.header ? nearest_names(wanted, names)
                     : fmt::format("; it has no header, so give a position from 1 to {}", head_.columns());
    const std::string message = fmt::format("{}: no {} column {}{}", shown_path(path_), role, shown(wanted), columns);
    // In prediction it is the model that asks for covariates, so their absence is the file's fault.
    if (std::string_view(role) == "covariate" && !options_.expected_features.empty()) throw InputError(message);
    throw UsageError(message);
  }

  void take(std::size_t column, Role role) {
    if (layout_.roles[column] != Role::feature) {
      throw UsageError(fmt::format("{}: column {} ({}) is asked for in two roles (label, sample id, covariate, group)",
                                   shown_path(path_), column + 1, layout_.names[column]));
    }
    layout_.roles[column] = role;
  }

  void choose_sample_id() {
    if (!options_.sample_id.empty()) {
      layout_.sample_id = find_column(options_.sample_id);
      if (!layout_.sample_id) no_such_column("sample id", options_.sample_id);
    } else if (const auto named = column_called(options_.known_samples.column);
               named || head_.names_samples || first_must_be_ids()) {
      layout_.sample_id = named.value_or(0);
      notes_.push_back(fmt::format("sample ids: column {}, as in the sample sheet", *layout_.sample_id + 1));
    } else if (const auto remembered = column_called(options_.remembered_id); remembered) {
      layout_.sample_id = remembered;
      notes_.push_back(fmt::format("sample ids: column {} ({}), as in training", *remembered + 1,
                                   shown(layout_.names[*remembered])));
    } else if (head_.header && head_.first[0].empty() && head_.columns() > 1 && options_.label != "1") {
      // R and pandas write row names into a first column without a name.
      layout_.sample_id = 0;
      notes_.push_back("sample ids: the first column, which has no name");
    } else if (const auto different = column_of_ids(); different) {
      layout_.sample_id = different;
      notes_.push_back(fmt::format("sample ids: column {} ({}), a different text in every row", *different + 1,
                                   shown(layout_.names[*different])));
    }
    if (layout_.sample_id) take(*layout_.sample_id, Role::sample_id);
  }

  std::optional<std::size_t> column_of_ids() const {
    for (std::size_t column = 0; column < head_.columns(); ++column) {
      const bool free = layout_.roles[column] == Role::feature && !is_model_feature(column) && !is_asked_for(column);
      if (free && kind_of(column) == TextKind::different && !(head_.header && is_label_name(layout_.names[column])))
        return column;
    }
    return std::nullopt;
  }

  bool is_asked_for(std::size_t column) const {
    const auto same = [&](const std::string& wanted) { return !wanted.empty() && find_column(wanted) == column; };
    return same(options_.label) || same(options_.group) ||
           std::any_of(options_.covariates.begin(), options_.covariates.end(), same);
  }

  /// Text that the sheet does not know: the join says so.
  bool first_must_be_ids() const { return !options_.known_samples.ids.empty() && head_.texts[0] && !head_.numbers[0]; }

  std::optional<std::size_t> column_called(const std::string& name) const {
    const auto at = std::find(layout_.names.begin(), layout_.names.end(), name);
    if (!head_.header || name.empty() || at == layout_.names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - layout_.names.begin());
  }

  void choose_group() {
    if (options_.group.empty()) return;
    layout_.group = find_column(options_.group);
    if (!layout_.group) no_such_column("group", options_.group);
    take(*layout_.group, Role::group);
  }

  void choose_covariates() {
    for (const auto& wanted : options_.covariates) {
      const auto column = find_column(wanted);
      if (!column) no_such_column("covariate", wanted);
      take(*column, Role::covariate);
      layout_.covariates.push_back(*column);
    }
  }

  bool is_model_feature(std::size_t column) const { return head_.header && model_.contains(layout_.names[column]); }

  std::size_t free_columns() const {
    return static_cast<std::size_t>(std::count(layout_.roles.begin(), layout_.roles.end(), Role::feature));
  }

  std::optional<std::size_t> find_label() const {
    const bool optional = !options_.labels_required;
    if (options_.labels_elsewhere) return std::nullopt;
    if (optional && !head_.header && !model_.empty() && free_columns() == model_.size()) return std::nullopt;
    if (!options_.label.empty()) {
      const auto column = find_column(options_.label);
      if (column && !(optional && is_model_feature(*column))) return column;
      if (optional) return std::nullopt;
      no_such_column("label", options_.label);
    }
    for (std::size_t column = 0; head_.header && column < head_.columns(); ++column) {
      const bool free = layout_.roles[column] == Role::feature && !is_model_feature(column);
      if (free && is_label_name(layout_.names[column])) return column;
    }
    if (const auto outcome = only_text(); outcome && options_.known_samples.ids.empty()) return outcome;
    if (!options_.known_samples.ids.empty()) return std::nullopt;  // beside a sheet only what is called a label is one
    const auto first = std::find(layout_.roles.begin(), layout_.roles.end(), Role::feature);
    const auto column = static_cast<std::size_t>(first - layout_.roles.begin());
    const bool classes =
        first != layout_.roles.end() && kind_of(column) != TextKind::different && kind_of(column) != TextKind::dates;
    if (classes && head_.texts[column] && may_be_label(column)) return column;
    return std::nullopt;
  }

  /// Called as what studies ask about, and no other column repeats texts.
  std::optional<std::size_t> only_text() const {
    std::optional<std::size_t> found;
    for (std::size_t column = 0; head_.header && column < head_.columns(); ++column) {
      if (layout_.roles[column] != Role::feature || kind_of(column) != TextKind::repeating) continue;
      if (found || is_model_feature(column)) return std::nullopt;
      found = column;
    }
    return found && is_outcome_name(layout_.names[*found]) ? found : std::nullopt;
  }

  /// In prediction a first column of text may hold sample ids as well: the model's classes tell.
  bool may_be_label(std::size_t column) const {
    if (options_.labels_required || options_.expected_classes.empty()) return true;
    const auto& row = head_.header ? head_.second : head_.first;
    const std::string name = column < row.size() ? class_of(row[column]) : "";
    return !is_model_feature(column) && std::any_of(options_.expected_classes.begin(), options_.expected_classes.end(),
                                                    [&](const std::string& known) { return name == class_of(known); });
  }

  void choose_label() {
    layout_.label = find_label();
    if (layout_.label) {
      take(*layout_.label, Role::label);
      notes_.push_back(fmt::format("label: column {}{}", *layout_.label + 1,
                                   head_.header ? fmt::format(" ({})", shown(layout_.names[*layout_.label])) : ""));
      return;
    }
    if (!options_.labels_required) {
      if (!options_.labels_elsewhere) notes_.push_back("label: none");
      return;
    }
    throw UsageError(
        fmt::format("{}: which column is the label? None is called label, class, y or target, and the first "
                    "is numeric; name it, or give its position. {}",
                    shown_path(path_),
                    head_.header ? "The columns are " + shown_names(layout_.names, 8)
                                 : "The first row is " + shown_names(head_.first, 8)));
  }

  void leave_out_what_the_sheet_has() {
    const auto& columns = options_.known_samples.columns;
    const std::unordered_set<std::string_view> sheet(columns.begin(), columns.end());
    std::vector<std::string> known;
    for (std::size_t column = 0; head_.header && !columns.empty() && column < head_.columns(); ++column) {
      const std::string& name = layout_.names[column];
      const bool label = options_.labels_elsewhere && is_label_name(name);
      if (layout_.roles[column] != Role::feature || is_model_feature(column) || !(label || sheet.contains(name)))
        continue;
      layout_.roles[column] = Role::ignored;
      known.push_back(name);
    }
    if (!known.empty()) notes_.push_back("left out, the sample sheet has it: " + shown_names(known, 8));
  }

  void leave_out_unknown() {
    if (!head_.header || model_.empty()) return;
    std::vector<std::string> unknown;
    for (std::size_t column = 0; column < head_.columns(); ++column) {
      if (layout_.roles[column] != Role::feature || is_model_feature(column)) continue;
      layout_.roles[column] = Role::ignored;
      unknown.push_back(layout_.names[column]);
    }
    if (free_columns() == 0) {
      throw InputError(
          fmt::format("{}: no column is a feature of the model; the columns are {}, the model's features {}; `match` "
                      "takes names that differ only in case, version or prefix",
                      shown_path(path_), shown_names(layout_.names, 8), shown_names(options_.expected_features, 8)));
    }
    if (!unknown.empty()) notes_.push_back("left out, not in the model: " + shown_names(unknown, 8));
  }

  /// Ids beside the first, and dates: nothing that could be a feature.
  void leave_out_texts() {
    std::vector<std::string> ids, dates;
    for (std::size_t column = 0; column < head_.columns(); ++column) {
      const bool different = kind_of(column) == TextKind::different, date = kind_of(column) == TextKind::dates;
      if (layout_.roles[column] != Role::feature || is_model_feature(column) || !(different || date)) continue;
      layout_.roles[column] = Role::ignored;
      (different ? ids : dates).push_back(layout_.names[column]);
    }
    if (!ids.empty()) notes_.push_back("left out, a different text in every row: " + shown_names(ids, 8));
    if (!dates.empty()) notes_.push_back("left out, dates: " + shown_names(dates, 8));
  }

  void number_features() {
    for (std::size_t column = 0; column < head_.columns(); ++column) {
      if (layout_.roles[column] != Role::feature) continue;
      ++layout_.features;
      if (!head_.header) layout_.names[column] = fmt::format("x{}", layout_.features);
    }
  }

  void check_names() const {
    if (!head_.header) return;
    // Sorted positions take a twentieth of the memory of a hash table of the names.
    std::vector<std::uint32_t> order;
    order.reserve(head_.columns());
    for (std::uint32_t column = 0; column < head_.columns(); ++column)
      if (layout_.roles[column] != Role::ignored && layout_.roles[column] != Role::sample_id) order.push_back(column);
    const auto& names = layout_.names;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return names[a] != names[b] ? names[a] < names[b] : a < b; });
    const auto same = [&](std::size_t a, std::size_t b) { return names[a] == names[b]; };
    const auto joined = [&](std::size_t a, std::size_t b) {
      const bool features = layout_.roles[a] == Role::feature && layout_.roles[b] == Role::feature;
      return same(a, b) && (options_.duplicates == Duplicates::refuse || !features);
    };
    const auto twin = std::adjacent_find(order.begin(), order.end(), joined);
    if (twin == order.end()) return;
    std::size_t again = 0;
    for (std::size_t i = 1; i < order.size(); ++i) again += same(order[i - 1], order[i]) ? 1 : 0;
    throw InputError(fmt::format("{}: columns {} and {} have the same name, {}{}", shown_path(path_), *twin + 1,
                                 *(twin + 1) + 1, shown(names[*twin]), duplicates_cure(again)));
  }

  const CsvHead& head_;
  const std::string& path_;
  const ReadOptions& options_;
  std::vector<std::string>& notes_;
  const std::vector<TextKind> texts_;
  std::unordered_set<std::string> model_;
  CsvLayout layout_;
};

}  // namespace

CsvLayout plan_columns(const CsvHead& head, const std::string& path, const ReadOptions& options,
                       std::vector<std::string>& notes) {
  return Planner(head, path, options, notes).plan();
}

}  // namespace cavity
