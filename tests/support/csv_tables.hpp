// Small csv_tables whose answer is known: the first feature decides the class, the rest is noise.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace cavity::test {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  void add_column(const std::string& name, const std::function<std::string(const std::vector<std::string>&)>& value) {
    for (auto& row : rows) row.push_back(value(row));
    header.push_back(name);
  }
  std::string csv() const {
    std::string out = line(header);
    for (const auto& row : rows) out += line(row);
    return out;
  }

 private:
  static std::string line(const std::vector<std::string>& fields) {
    std::string out;
    for (const auto& field : fields) out += (out.empty() ? "" : ",") + field;
    return out + "\n";
  }
};

/// label,g1,g2,...: class "ill" where g1 > 0, else "well"; seeded, so that every run sees the same numbers.
inline Table separable_table(std::size_t samples, std::size_t features, std::uint64_t seed = 1) {
  Random random(seed);
  Table table{{"label"}, {}};
  for (std::size_t l = 1; l <= features; ++l) table.header.push_back(fmt::format("g{}", l));
  for (std::size_t mu = 0; mu < samples; ++mu) {
    std::vector<std::string> row = {""};
    for (std::size_t l = 0; l < features; ++l) row.push_back(fmt::format("{:.4f}", random.normal()));
    row[0] = row[1][0] == '-' ? "well" : "ill";
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace cavity::test
