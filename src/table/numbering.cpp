#include "table/numbering.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cavity {

namespace {

constexpr std::size_t least_counted = 8, least_sorted = 12, least_named = 3;  // samples

class Column {
 public:
  Column(const FeatureMatrix& features, std::size_t column) : first_(features.data() + column), stride_(features.cols) {
    rows_ = features.rows;
  }
  float at(std::size_t row) const { return first_[row * stride_]; }

  bool counts() const {
    const float step = at(1) - at(0);
    if (step != 1 && step != -1) return false;
    for (std::size_t i = 1; i < rows_; ++i)
      if (at(i) - at(i - 1) != step) return false;
    return true;
  }

  bool goes_one_way() const {
    bool up = true, down = true;
    for (std::size_t i = 1; i < rows_ && (up || down); ++i) {
      up = up && at(i) >= at(i - 1);
      down = down && at(i) <= at(i - 1);
    }
    return up || down;
  }

  bool may_be_whole() const {
    for (std::size_t i = 0; i < least_named; ++i)
      if (!(at(i) == std::floor(at(i)))) return false;
    return true;
  }

  /// Whole numbers, at least half of them different.
  bool hardly_repeats() const {
    std::vector<float> values;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (!(at(i) == std::floor(at(i)))) return false;  // nor missing
      values.push_back(at(i));
    }
    std::sort(values.begin(), values.end());
    const auto different = std::unique(values.begin(), values.end()) - values.begin();
    return 2 * static_cast<std::size_t>(different) >= rows_;
  }

 private:
  const float* first_;
  std::size_t stride_, rows_;
};

bool classes_stand_together(const std::vector<std::uint32_t>& classes) {
  std::vector<std::uint32_t> blocks;
  for (const std::uint32_t k : classes)
    if (blocks.empty() || blocks.back() != k) blocks.push_back(k);
  const std::size_t count = blocks.size();
  std::sort(blocks.begin(), blocks.end());
  return count > 1 && std::adjacent_find(blocks.begin(), blocks.end()) == blocks.end();
}

}  // namespace

bool is_id_name(std::string_view name) {
  constexpr std::size_t longest = 24;
  if (name.empty() || name.size() > longest) return false;
  std::string plain;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  constexpr std::string_view alone[] = {"id",    "iid",    "fid",      "uid",      "uuid",    "mrn",
                                        "index", "number", "unnamed0", "rownames", "rowname", "barcode"};
  if (std::find(std::begin(alone), std::end(alone), plain) != std::end(alone)) return true;
  constexpr std::string_view whose[] = {"patient",    "sample",   "subject", "participant", "donor",
                                        "individual", "specimen", "case",    "record",      "person",
                                        "study",      "animal",   "row",     "proband",     "run"};
  constexpr std::string_view what[] = {"", "s", "id", "ids", "no", "nr", "num", "number", "code", "index", "order"};
  for (const std::string_view owner : whose)
    for (const std::string_view end : what)
      if (plain.size() == owner.size() + end.size() && plain.starts_with(owner) && plain.ends_with(end)) return true;
  return false;
}

std::vector<NumberingColumn> numbering_columns(const FeatureMatrix& features, const std::vector<std::string>& names,
                                               const std::vector<std::uint32_t>& classes) {
  std::vector<NumberingColumn> out;
  if (features.rows < least_named) return out;
  const bool together = features.rows >= least_sorted && classes_stand_together(classes);
  for (std::size_t column = 0; column < features.cols; ++column) {
    const Column values(features, column);
    if (!values.may_be_whole()) continue;
    if (features.rows >= least_counted && values.counts())
      out.push_back({column, "counts the samples one by one"});
    else if (column < names.size() && is_id_name(names[column]) && values.hardly_repeats())
      out.push_back({column, "is called like an id and holds whole numbers that hardly repeat"});
    else if (together && values.goes_one_way() && values.hardly_repeats())
      out.push_back({column, "is sorted as the classes are, in whole numbers that hardly repeat"});
  }
  return out;
}

}  // namespace cavity
