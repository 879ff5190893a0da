#include "prepare/scale_rows.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "prepare/own_columns.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

/// Squared lengths of the scaled rows.
std::vector<double> row_squares(const Inputs& inputs, ThreadPool& pool, const Shards& shards = Shards::whole()) {
  return inputs.features.table().row_squares(own_columns(inputs, shards), pool, shards);
}

/// The scale that brings the rows' mean square to `inputs`.
double common_row_scale(const std::vector<double>& squares, std::size_t inputs) {
  const double mean = std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(squares.size());
  return mean > 0 ? std::sqrt(static_cast<double>(inputs) / mean) : 1.0;
}

/// One scale for all rows, or (0) each row to length sqrt(inputs).
std::vector<double> row_scales(double common, std::vector<double> squares, std::size_t inputs) {
  for (double& square : squares)
    square = common > 0 ? common : square > 0 ? std::sqrt(static_cast<double>(inputs) / square) : 1.0;
  return squares;
}

}  // namespace

void scale_rows(bool equal_rows, Prepared& out, ThreadPool& pool, const Shards& shards) {
  std::vector<double> squares = row_squares(out, pool, shards);
  out.preprocessing.row_scale = equal_rows ? 0 : common_row_scale(squares, out.inputs());
  out.row_scale = row_scales(out.preprocessing.row_scale, std::move(squares), out.inputs());
}

std::vector<double> scales_of_rows(const Preprocessing& p, const Inputs& inputs, ThreadPool& pool) {
  if (p.row_scale > 0) return std::vector<double>(inputs.features.rows(), p.row_scale);
  return row_scales(0, row_squares(inputs, pool), inputs.inputs());
}

}  // namespace cavity
