// The rows of table 1: how each is fitted, and what the paper prints for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cavity/compare.hpp"

namespace cavity {

struct Table1Row {
  CompareMethod method;
  std::string title;
  std::optional<std::pair<double, double>> print;  // mean and standard deviation of the error, %
};

/// Table 0: centred over all samples, rows of length sqrt(N). Table 1: whitened over all samples, without their labels,
/// rows scaled. Table 2: as read. The first two are what the paper does; a user has the training part only (table 2).
std::vector<Dataset> table1_tables(const Dataset& colon, unsigned threads);
std::vector<Table1Row> table1_rows();

}  // namespace cavity
