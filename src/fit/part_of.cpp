#include "fit/part_of.hpp"

#include "cavity/errors.hpp"
#include "read/keep_samples.hpp"
#include "table/genotype_table.hpp"

namespace cavity {

Dataset part_of(const Dataset& data, const std::vector<std::size_t>& samples) {
  Dataset out = data;
  out.notes.clear();
  if (samples.size() == data.samples()) return out;
  if (const auto* calls = dynamic_cast<const GenotypeTable*>(&data.features.table())) {
    out.features = FeatureMatrix(data.samples(), 0);  // all else is kept by it
    keep_samples(samples, out);
    out.features = FeatureTable(std::make_shared<GenotypeTable>(calls->part(samples)));
    return out;
  }
  if (!data.features.is_dense() && !data.features.table().sparse())
    throw InputError(
        "columns in a file cannot be parted into folds: give the table as a matrix in memory, without `memory`");
  keep_samples(samples, out);
  return out;
}

}  // namespace cavity
