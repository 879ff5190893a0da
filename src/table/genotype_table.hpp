// Genotypes in PLINK's packed form, mapped from the .bed: two bits a call, of the samples that have a label.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "file/mapped_file.hpp"
#include "table/genotype_calls.hpp"
#include "table/table.hpp"

namespace cavity {

class GenotypeTable final : public Table {
 public:
  /// `used`: samples of the files, ascending; `most_resident`: bytes of the .bed that may be in memory at a time.
  GenotypeTable(std::shared_ptr<const MappedFile> bed, GenotypeCalls calls, std::vector<std::size_t> used)
      : bed_(std::move(bed)), calls_(calls), used_(std::move(used)) {}

  std::size_t samples() const override { return used_.size(); }
  std::size_t features() const override { return calls_.variants; }
  std::size_t bytes() const override { return calls_.variants * calls_.bytes_per_variant; }
  bool genotypes() const override { return true; }
  ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const override;
  std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool, const Shards& shards) const override;
  const GenotypeCalls& calls() const { return calls_; }
  const std::vector<std::size_t>& used() const { return used_; }
  FeatureMatrix dense(std::span<const std::uint32_t> columns) const override;
  /// Some of its samples, ascending, over the same file.
  GenotypeTable part(const std::vector<std::size_t>& samples) const;

 private:
  std::shared_ptr<const MappedFile> bed_;
  GenotypeCalls calls_;
  std::vector<std::size_t> used_;
};

/// In the words of the calls.
GenotypeScaling genotype_scaling(const ScaledColumns& columns);

}  // namespace cavity
