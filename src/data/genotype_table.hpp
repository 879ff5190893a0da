// Genotypes in PLINK's packed form, mapped from the .bed: two bits a call, of the samples that have a label.
#pragma once

#include "data/compact_table.hpp"
#include "data/plink.hpp"
#include "design/genotype_calls.hpp"

namespace cavity::data {

class GenotypeTable final : public CompactTable {
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
  std::unique_ptr<Design> design(ScaledColumns columns, std::vector<double> row_scale) const override;
  FeatureMatrix dense(std::span<const std::uint32_t> columns) const override;

 private:
  std::shared_ptr<const MappedFile> bed_;
  GenotypeCalls calls_;
  std::vector<std::size_t> used_;
};

/// The fileset at `path`: labels from the .fam or from options.labels_file (one a line, in the order of the .fam).
/// Samples without a label are left out where labels are required. Compact where that is allowed, else dense.
Dataset read_genotypes(const std::string& path, const ReadOptions& options);

/// Whether `path` names a PLINK fileset: one of its three files, or what they have in common.
bool names_plink(const std::string& path);

}  // namespace cavity::data
