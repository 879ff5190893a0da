#include "prepare/make_design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "design/accelerator.hpp"
#include "design/column_design.hpp"
#include "design/dense_design.hpp"
#include "design/genotype_design.hpp"
#include "design/sharded_design.hpp"
#include "design/sparse_design.hpp"
#include "prepare/own_columns.hpp"
#include "table/column_table.hpp"
#include "table/dense_table.hpp"
#include "table/genotype_table.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

using RowScale = std::vector<double>;

// The columns are consecutive: all of the table's, or this process's part of them.
std::unique_ptr<const DenseDesign> design_over(const DenseTable& table, ScaledColumns columns, RowScale row_scale) {
  FeatureView part = view(table.values);
  part.values += columns.column.front();
  part.features = columns.count();
  return std::make_unique<DenseDesign>(part, std::move(columns.centre), std::move(columns.scale), std::move(row_scale));
}

// Missing values stand at their centre and absent columns are zero: where there are any, the design gets columns of its
// own.
std::unique_ptr<const Design> design_over(const SparseTable& table, ScaledColumns columns, RowScale row_scale) {
  const CompressedColumns& values = table.values();
  constexpr std::uint32_t zeros = SparseTable::zeros;
  const bool missing = std::any_of(values.value.begin(), values.value.end(), [](float v) { return std::isnan(v); });
  const bool absent = std::find(columns.column.begin(), columns.column.end(), zeros) != columns.column.end();
  const SparseView view{values.samples, values.start.data(), values.row.data(), values.value.data()};
  if (!missing && !absent) return std::make_unique<SparseDesign>(view, std::move(columns), std::move(row_scale));
  const auto own = std::make_shared<CompressedColumns>();
  own->start.push_back(0);
  for (std::size_t l = 0; l < columns.count(); ++l) {
    if (columns.column[l] != zeros)
      for (auto k = values.start[columns.column[l]]; k < values.start[columns.column[l] + 1]; ++k) {
        own->row.push_back(values.row[k]);
        const float value = values.value[k];
        own->value.push_back(std::isnan(value) ? static_cast<float>(columns.centre[l]) : value);
      }
    own->start.push_back(own->value.size());
  }
  std::iota(columns.column.begin(), columns.column.end(), 0U);
  return std::make_unique<SparseDesign>(
      SparseView{values.samples, own->start.data(), own->row.data(), own->value.data()}, std::move(columns),
      std::move(row_scale), own);
}

/// On the accelerator, where there is one.
template <class D>
std::unique_ptr<const Design> placed(std::unique_ptr<const D> host, const Accelerator* accelerator) {
  return accelerator ? accelerator->hold(std::move(host)) : std::move(host);
}

std::unique_ptr<const Design> design_over(const Table& table, ScaledColumns columns, RowScale row_scale,
                                          const Accelerator* accelerator) {
  if (const auto* dense = dynamic_cast<const DenseTable*>(&table))
    return placed(design_over(*dense, std::move(columns), std::move(row_scale)), accelerator);
  if (const auto* sparse = dynamic_cast<const SparseTable*>(&table))
    return design_over(*sparse, std::move(columns), std::move(row_scale));
  if (const auto* genotypes = dynamic_cast<const GenotypeTable*>(&table))
    return placed<GenotypeDesign>(std::make_unique<GenotypeDesign>(genotypes->calls(), genotypes->used(),
                                                                   genotype_scaling(columns), std::move(row_scale)),
                                  accelerator);
  if (const auto* in_file = dynamic_cast<const ColumnTable*>(&table))
    return std::make_unique<ColumnDesign>(in_file->values(), std::move(columns), std::move(row_scale));
  throw std::logic_error("a table without a design");
}

FeatureMatrix filled_columns(const Table& table, const std::vector<std::uint32_t>& which,
                             const std::vector<double>& centre) {
  FeatureMatrix out = table.dense(which);
  for (std::size_t i = 0; i < out.rows; ++i)
    for (std::size_t l = 0; l < out.cols; ++l)
      if (float& value = out.row(i)[l]; std::isnan(value)) value = static_cast<float>(centre[l]);
  return out;
}

}  // namespace

std::unique_ptr<const Design> make_design(const Inputs& inputs, const Shards& shards) {
  ScaledColumns columns = own_columns(inputs, shards);
  std::unique_ptr<const Design> mine;
  if (columns.count() > 0)
    mine = design_over(inputs.features.table(), std::move(columns), inputs.row_scale, shards.accelerator());
  // One process of several, even where it is the only one, rounds as several do.
  if (&shards == &Shards::whole() || shards.accelerator()) return mine;
  return std::make_unique<ShardedDesign>(std::move(mine), inputs.samples(), inputs.inputs(), shards);
}

std::size_t feature_bytes(const Inputs& inputs, const Shards& shards) {
  const Table& table = inputs.features.table();
  const double share = static_cast<double>(own_columns(inputs, shards).count()) / static_cast<double>(table.features());
  return static_cast<std::size_t>(share * static_cast<double>(table.bytes()));
}

FeatureMatrix dense_values(const Inputs& inputs, const Shards& shards) {
  if (inputs.features.is_dense()) {
    const FeatureMatrix& values = inputs.features.dense();
    return FeatureMatrix::borrow(values.data(), values.rows, values.cols);
  }
  const ScaledColumns columns = own_columns(inputs, shards);
  FeatureMatrix mine = filled_columns(inputs.features.table(), columns.column, columns.centre);
  if (shards.alone()) return mine;
  FeatureMatrix out(inputs.samples(), inputs.inputs());
  for (std::size_t i = 0; i < out.rows; ++i) {
    const float* row = mine.row(i);
    const std::vector<double> all = shards.join(std::vector<double>(row, row + mine.cols));
    std::copy(all.begin(), all.end(), out.row(i));
  }
  return out;
}

FeatureMatrix some_values(const Inputs& inputs, std::span<const std::uint32_t> which) {
  std::vector<std::uint32_t> columns;
  std::vector<double> centre;
  for (const std::uint32_t l : which) {
    columns.push_back(inputs.columns.column[l]);
    centre.push_back(inputs.columns.centre[l]);
  }
  return filled_columns(inputs.features.table(), columns, centre);
}

}  // namespace cavity
