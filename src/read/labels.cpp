#include "read/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"

namespace cavity {

namespace {

/// Numbers by value come before text, text in byte order.
struct ClassOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const Value x = read_value(a), y = read_value(b);
    if (x.kind == Kind::number && y.kind == Kind::number) return x.number < y.number;
    if ((x.kind == Kind::number) != (y.kind == Kind::number)) return x.kind == Kind::number;
    return a < b;
  }
};

using ClassCounts = std::map<std::string, std::size_t, ClassOrder>;

std::string shown_classes(const ClassCounts& counts) {
  constexpr std::size_t limit = 10;
  std::string text;
  std::size_t listed = 0;
  for (const auto& [name, count] : counts) {
    if (listed == limit) return text + fmt::format(" and {} more", counts.size() - limit);
    text += fmt::format("{}{} ({})", listed++ == 0 ? "" : ", ", shown(name), count);
  }
  return text;
}

bool knows_classes(const ReadOptions& options) {
  return !options.expected_classes[0].empty() || !options.expected_classes[1].empty();
}

/// True when there is no label at all, which prediction allows; a label missing among others is an error.
bool all_missing(const LabelTexts& texts, const ReadOptions& options) {
  const auto missing = [](const std::string& text) { return read_value(text).kind == Kind::missing; };
  const auto first = std::find_if(texts.values.begin(), texts.values.end(), missing);
  if (first == texts.values.end()) return false;
  if (!options.labels_required && std::all_of(first, texts.values.end(), missing) && first == texts.values.begin()) {
    return true;
  }
  const auto sample = static_cast<std::size_t>(first - texts.values.begin());
  throw InputError(fmt::format("{}, line {}: the label is missing ({}); fill it in or remove the sample",
                               shown_path(texts.path), texts.lines[sample], shown(*first)));
}

ClassCounts count_classes(const std::vector<std::string>& classes) {
  ClassCounts counts;
  std::string last;
  std::size_t* slot = nullptr;
  for (const auto& name : classes) {
    if (slot == nullptr || name != last) slot = &counts[last = name];
    ++*slot;
  }
  return counts;
}

/// Prediction: what is missing or no class of the model is unknown (0); nothing at all when all of them are.
void assign_known(Dataset& dataset, const LabelTexts& texts) {
  std::size_t missing = 0;
  ClassCounts others, known;
  for (const auto& text : texts.values) {
    const std::string name = class_of(text);
    const bool is_known = name == dataset.class_names[0] || name == dataset.class_names[1];
    const bool is_missing = !is_known && read_value(text).kind == Kind::missing;
    missing += is_missing ? 1 : 0;
    if (!is_missing) ++(is_known ? known : others)[name];
    dataset.labels.push_back(!is_known                        ? std::int8_t{0}
                             : name == dataset.class_names[1] ? std::int8_t{1}
                                                              : std::int8_t{-1});
  }
  if (missing > 0)
    dataset.notes.push_back(counted(missing, "label") + " missing: the truth of these samples is not known");
  if (!others.empty())
    dataset.notes.push_back(fmt::format("labels that are no class of the model ({}, {}) are not used: {}",
                                        shown(dataset.class_names[0]), shown(dataset.class_names[1]),
                                        shown_classes(others)));
  if (known.empty()) dataset.labels.clear();
  if (!known.empty()) dataset.notes.push_back("known labels: " + shown_classes(known));
}

void choose_positive(Dataset& dataset, const ClassCounts& counts, const ReadOptions& options) {
  dataset.class_names = {counts.begin()->first, counts.rbegin()->first};
  if (options.positive.empty()) return;
  const std::string wanted = class_of(options.positive);
  if (counts.find(wanted) == counts.end()) {
    throw UsageError(
        fmt::format("positive class {} is not among the classes: {}", shown(options.positive), shown_classes(counts)));
  }
  if (wanted == dataset.class_names[0]) std::swap(dataset.class_names[0], dataset.class_names[1]);
}

}  // namespace

std::string class_of(std::string_view text) {
  const Value value = read_value(text);
  if (value.kind != Kind::number) return std::string(text);
  return fmt::format("{}", value.number == 0 ? 0.0 : value.number);  // no "-0"
}

void assign_labels(Dataset& dataset, const LabelTexts& texts, const ReadOptions& options) {
  const bool known = knows_classes(options);
  if (known) dataset.class_names = {class_of(options.expected_classes[0]), class_of(options.expected_classes[1])};
  if (known && !options.positive.empty() && class_of(options.positive) != dataset.class_names[1]) {
    throw UsageError(fmt::format("positive class {} differs from the model's, {}", shown(options.positive),
                                 shown(dataset.class_names[1])));
  }
  if (texts.values.empty() || options.labels_elsewhere) return;
  if (known) {
    assign_known(dataset, texts);
    return;
  }
  if (all_missing(texts, options)) {
    dataset.notes.push_back("labels: all missing");
    return;
  }
  std::vector<std::string> classes;
  classes.reserve(texts.values.size());
  for (const auto& text : texts.values) classes.push_back(class_of(text));
  const ClassCounts counts = count_classes(classes);
  if (counts.size() != 2 && (options.labels_required || counts.size() > 2)) {
    throw InputError(fmt::format("{}: the labels have {} class{}, and exactly two are needed: {}",
                                 shown_path(texts.path), counts.size(), counts.size() == 1 ? "" : "es",
                                 shown_classes(counts)));
  }
  if (counts.size() < 2) {
    dataset.notes.push_back("labels: a single class, " + shown(counts.begin()->first) + ": taken as unlabelled");
    return;
  }
  choose_positive(dataset, counts, options);
  for (const auto& name : classes) dataset.labels.push_back(name == dataset.class_names[1] ? 1 : -1);
  dataset.notes.push_back(
      fmt::format("classes: {}; positive: {}", shown_classes(counts), shown(dataset.class_names[1])));
}

}  // namespace cavity
