#include "fit/training_rows.hpp"

#include "base/budget.hpp"
#include "prepare/make_design.hpp"
#include "search/search.hpp"

namespace cavity {

bool storable(const Prepared& prepared) {
  return prepared.samples() * prepared.inputs() * sizeof(float) <= much_memory;
}

bool tells_absent(const Prepared& prepared) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  return prepared.features.is_dense() && prepared.preprocessing.directions == 0 &&
         prepared.samples() <= most_ep_samples && prepared.samples() * prepared.inputs() * sizeof(float) <= most_bytes;
}

TrainingRows training_rows(const Prepared& prepared, const Shards& shards) {
  TrainingRows out{prepared.features.is_dense() ? prepared.features.dense() : dense_values(prepared, shards),
                   prepared.row_scale, prepared.covariates};
  out.values.own();
  return out;
}

}  // namespace cavity
