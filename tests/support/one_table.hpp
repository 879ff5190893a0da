// One table of samples, written as laboratories have it: what every form of it must give is what its plain CSV gives.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cavity/read.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

struct OneTable {
  static constexpr std::size_t samples = 12, genes = 30;
  std::vector<std::string> ids, names, classes;
  std::vector<std::vector<std::string>> values;  // a row a sample: seventeen digits, negative, tiny, whole and missing

  OneTable() {
    Random random(20240131);
    for (std::size_t i = 0; i < samples; ++i) {
      ids.push_back(fmt::format("GSM{}", 100 + (7 * i) % 90));
      classes.push_back(i % 3 == 0 ? "healthy" : "ill");
      values.emplace_back();
      for (std::size_t j = 0; j < genes; ++j) {
        const double z = random.normal();
        values.back().push_back(j == 3   ? fmt::format("{}", std::floor(10 * z))
                                : j == 4 ? fmt::format("{:.3e}", 1e-7 * z)
                                         : fmt::format("{:.17g}", z));
      }
    }
    for (std::size_t j = 0; j < genes; ++j) names.push_back(fmt::format("GENE{}", j));
  }

  using Field = std::function<std::string(const std::string&)>;
  static std::string as_it_is(const std::string& text) { return text; }
  static std::string with_comma(std::string text) {
    if (const auto at = text.find('.'); at != std::string::npos) text[at] = ',';
    return text;
  }

  /// A row a sample: id, label, genes.
  std::string csv(char delimiter = ',', const Field& field = as_it_is) const {
    std::string out = fmt::format("id{}label", delimiter);
    for (const auto& name : names) out += delimiter + name;
    for (std::size_t i = 0; i < samples; ++i) {
      out += "\n" + ids[i] + delimiter + classes[i];
      for (const auto& value : values[i]) out += delimiter + field(value);
    }
    return out + "\n";
  }

  /// A row a gene, tab separated; `first` heads the names, `beside` is put after each of them.
  std::string turned(const std::string& first, const std::string& beside_header = "", const std::string& beside = "",
                     const Field& id = as_it_is) const {
    std::string out = first + beside_header;
    for (const auto& name : ids) out += "\t" + id(name);
    for (std::size_t j = 0; j < genes; ++j) {
      out += "\n" + names[j] + beside;
      for (std::size_t i = 0; i < samples; ++i) out += "\t" + values[i][j];
    }
    return out + "\n";
  }

  std::string sheet() const {
    std::string out = "id\tdiagnosis\n";
    for (std::size_t i = samples; i-- > 0;) out += ids[i] + "\t" + classes[i] + "\n";
    return out;
  }

  Dataset plain() const {
    const TempDir folder;
    return read_dataset(folder.write("plain.csv", csv()), {.sample_id = "id"});
  }

  /// The same features, to the last bit, names, ids and classes.
  void expect_same(const Dataset& other) const {
    const Dataset mine = plain();
    EXPECT_EQ(other.sample_names, mine.sample_names);
    EXPECT_EQ(other.feature_names, mine.feature_names);
    EXPECT_EQ(other.class_names, mine.class_names);
    EXPECT_EQ(other.classes, mine.classes);
    ASSERT_EQ(other.features.rows(), mine.features.rows());
    ASSERT_EQ(other.features.cols(), mine.features.cols());
    FeatureTable dense = other.features;
    dense.make_dense();
    const FeatureMatrix &a = std::as_const(dense).dense(), &b = mine.features.dense();
    for (std::size_t k = 0; k < a.rows * a.cols; ++k)
      ASSERT_TRUE(a.data()[k] == b.data()[k] || (std::isnan(a.data()[k]) && std::isnan(b.data()[k])))
          << "value " << k << ": " << a.data()[k] << " is not " << b.data()[k];
  }
};

inline bool noted(const Dataset& dataset, const std::string& part) {
  for (const std::string& note : dataset.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace cavity::test
