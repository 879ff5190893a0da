#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "table/dense_table.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

FeatureTable::FeatureTable() : FeatureTable(FeatureMatrix()) {}

FeatureTable::FeatureTable(FeatureMatrix dense) : table_(std::make_shared<DenseTable>(std::move(dense))) {}

FeatureTable::FeatureTable(CompressedColumns sparse) {
  check_columns(sparse);
  table_ = std::make_shared<SparseTable>(std::move(sparse));
}

std::size_t FeatureTable::rows() const { return table_->samples(); }
std::size_t FeatureTable::cols() const { return table_->features(); }
bool FeatureTable::is_dense() const { return dynamic_cast<const DenseTable*>(table_.get()) != nullptr; }

const FeatureMatrix& FeatureTable::dense() const {
  const auto* dense = dynamic_cast<const DenseTable*>(table_.get());
  if (!dense) throw std::logic_error(fmt::format("a table of {} x {} is not held densely", rows(), cols()));
  return dense->values;
}

FeatureMatrix& FeatureTable::dense() {
  const FeatureMatrix& values = std::as_const(*this).dense();
  if (table_.use_count() > 1) table_ = std::make_shared<DenseTable>(values);
  return static_cast<DenseTable&>(*table_).values;
}

CompressedColumns& FeatureTable::sparse() {
  const auto* sparse = dynamic_cast<const SparseTable*>(table_.get());
  if (!sparse) throw std::logic_error(fmt::format("a table of {} x {} is not sparse", rows(), cols()));
  if (table_.use_count() > 1) table_ = std::make_shared<SparseTable>(sparse->values());
  return static_cast<SparseTable&>(*table_).values();
}

void FeatureTable::make_dense() {
  if (is_dense()) return;
  std::vector<std::uint32_t> all(cols());
  std::iota(all.begin(), all.end(), 0U);
  table_ = std::make_shared<DenseTable>(table_->dense(all));
}

}  // namespace cavity
