#include "table/genotype_table.hpp"

#include <limits>

#include "table/matrix_size.hpp"

namespace cavity {

GenotypeScaling genotype_scaling(const ScaledColumns& columns) {
  return {{columns.column.begin(), columns.column.end()}, columns.centre, columns.scale};
}

ColumnMoments GenotypeTable::moments(std::size_t first, std::size_t last, ThreadPool& pool) const {
  GenotypeCalls part = calls_;
  part.packed = calls_.row(first);
  part.variants = last - first;
  GenotypeCounts counts = genotype_counts(part, used_, pool);
  return {std::move(counts.mean), std::move(counts.deviation), std::move(counts.missing), std::move(counts.constant)};
}

std::vector<double> GenotypeTable::row_squares(const ScaledColumns& columns, ThreadPool& pool,
                                               const Shards& shards) const {
  return genotype_row_squares(calls_, used_, genotype_scaling(columns), pool, shards);
}

FeatureMatrix GenotypeTable::dense(std::span<const std::uint32_t> columns) const {
  constexpr float missing = std::numeric_limits<float>::quiet_NaN();
  constexpr float copies[] = {2, missing, 1, 0};  // of A1, by PLINK's code
  FeatureMatrix out = allocate_features(samples(), columns.size(), "a dense form of genotypes");
  for (std::size_t l = 0; l < columns.size(); ++l)
    for (std::size_t i = 0; i < used_.size(); ++i) out.row(i)[l] = copies[calls_.code(columns[l], used_[i])];
  return out;
}

GenotypeTable GenotypeTable::part(const std::vector<std::size_t>& samples) const {
  std::vector<std::size_t> used;
  for (const std::size_t i : samples) used.push_back(used_[i]);
  return {bed_, calls_, std::move(used)};
}

}  // namespace cavity
