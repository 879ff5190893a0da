#include "read/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

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
using ClassPlaces = std::unordered_map<std::string, std::uint32_t>;

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

std::vector<std::string> expected_names(const ReadOptions& options) {
  std::vector<std::string> out;
  for (const std::string& name : options.expected_classes) out.push_back(class_of(name));
  return std::all_of(out.begin(), out.end(), [](const std::string& name) { return name.empty(); })
             ? std::vector<std::string>()
             : out;
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

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Prediction: what is missing or no class of the model is unknown; nothing at all when all of them are.
void assign_known(Dataset& dataset, const LabelTexts& texts) {
  std::size_t missing = 0;
  ClassCounts others, known;
  for (const auto& text : texts.values) {
    const std::string name = class_of(text);
    const std::size_t place = place_of(dataset.class_names, name);
    const bool is_known = place < dataset.class_names.size();
    const bool is_missing = !is_known && read_value(text).kind == Kind::missing;
    missing += is_missing ? 1 : 0;
    if (!is_missing) ++(is_known ? known : others)[name];
    dataset.classes.push_back(static_cast<std::uint32_t>(place));
  }
  if (missing > 0)
    dataset.notes.push_back(counted(missing, "label") + " missing: the truth of these samples is not known");
  if (!others.empty())
    dataset.notes.push_back(fmt::format("labels that are no class of the model ({}) are not used: {}",
                                        shown_names(dataset.class_names, 10), shown_classes(others)));
  if (known.empty()) dataset.classes.clear();
  if (!known.empty()) dataset.notes.push_back("known labels: " + shown_classes(known));
}

/// Columns that are no classes: measured quantities, and names of samples.
void refuse_no_classes(const ClassCounts& counts, const LabelTexts& texts) {
  constexpr std::size_t many = 10, usual = 5;  // classes; samples of one
  const std::size_t samples = texts.values.size();
  const auto number = [](const auto& one) { return read_value(one.first).kind == Kind::number; };
  const bool numbers = std::all_of(counts.begin(), counts.end(), number);
  if (numbers && counts.size() > many && samples < usual * counts.size())
    throw InputError(fmt::format(
        "{}: the labels are {} different numbers for {}, from {} to {}: they look like a measured quantity, and a "
        "classifier needs classes. Cut them into classes, or name another column (`label`)",
        shown_path(texts.path), counts.size(), counted(samples, "sample"), shown(counts.begin()->first),
        shown(counts.rbegin()->first)));
  if (counts.size() > 2 && 2 * counts.size() > samples)
    throw InputError(fmt::format(
        "{}: the labels have {} classes for {}: {}. Most classes would have a single sample; name the column that "
        "holds the classes (`label`)",
        shown_path(texts.path), counts.size(), counted(samples, "sample"), shown_classes(counts)));
}

/// In order; of two the one that is asked for comes second.
std::vector<std::string> ordered_names(const ClassCounts& counts, const std::string& positive) {
  std::vector<std::string> out;
  for (const auto& [name, count] : counts) out.push_back(name);
  if (positive.empty()) return out;
  if (out.size() > 2)
    throw UsageError(fmt::format("positive class {}: of more than two classes none is the positive one; here are {}",
                                 shown(positive), shown_classes(counts)));
  const std::string wanted = class_of(positive);
  if (counts.find(wanted) == counts.end())
    throw UsageError(
        fmt::format("positive class {} is not among the classes: {}", shown(positive), shown_classes(counts)));
  if (wanted == out[0]) std::swap(out[0], out[1]);
  return out;
}

void assign_classes(Dataset& dataset, const std::vector<std::string>& classes, const ClassCounts& counts,
                    const ReadOptions& options) {
  dataset.class_names = ordered_names(counts, options.positive);
  ClassPlaces places;
  for (const auto& name : dataset.class_names) places.emplace(name, static_cast<std::uint32_t>(places.size()));
  for (const auto& name : classes) dataset.classes.push_back(places.at(name));
  const std::string positive =
      counts.size() == 2 ? fmt::format("; positive: {}", shown(dataset.class_names[1])) : std::string();
  dataset.notes.push_back(fmt::format("classes: {}{}", shown_classes(counts), positive));
}

}  // namespace

std::string class_of(std::string_view text) {
  const Value value = read_value(text);
  if (value.kind != Kind::number) return std::string(text);
  return fmt::format("{}", value.number == 0 ? 0.0 : value.number);  // no "-0"
}

void assign_labels(Dataset& dataset, const LabelTexts& texts, const ReadOptions& options) {
  const std::vector<std::string> expected = expected_names(options);
  const bool known = !expected.empty();
  if (known) dataset.class_names = expected;
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
  if (counts.size() < 2 && options.labels_required)
    throw InputError(
        fmt::format("{}: the labels have 1 class, {}, and two or more are needed; is this the label (`label`)?",
                    shown_path(texts.path), shown_classes(counts)));
  if (counts.size() < 2) {
    dataset.notes.push_back("labels: a single class, " + shown(counts.begin()->first) + ": taken as unlabelled");
    return;
  }
  refuse_no_classes(counts, texts);
  assign_classes(dataset, classes, counts, options);
}

}  // namespace cavity
