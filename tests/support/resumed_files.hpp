// Small files that a run is resumed from, and the run that they belong to.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "compare/split_log.hpp"
#include "fit/half_log.hpp"
#include "search/checkpoint.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

inline constexpr Checkpoint::Sizes small_sizes{2, 2, 3};  // cells, features, samples
inline constexpr std::uint64_t small_run = 12345;

inline nlohmann::json small_identity() { return {{"options", {{"solver", "ep"}}}, {"data", {{"labels", "a1"}}}}; }

inline std::string small_checkpoint() {
  const TempDir folder;
  Checkpoint checkpoint({folder.path("c"), 0, false}, small_identity(), small_sizes, Shards::whole());
  Posterior p;
  p.status = Status::converged;
  p.iterations = 3;
  p.inclusion = {0.5, 1}, p.mean = {0.25, -1}, p.variance = {0.1, 0.2};
  p.cavity_mean = {1, -1, 0.5}, p.cavity_variance = {1, 2, 3}, p.loo_log_probability = {-0.1, -0.2, -0.7};
  p.feature_site_precision = {2, 0.5}, p.sample_site_precision = {1, 0, 4};
  EpState s;
  s.density = 0.5;
  s.linear = {0.5, -0.5}, s.precision = {1, 2}, s.mean = {1, 2, 3}, s.log_variance = {0, 0.5, -1};
  s.history.resize(1);
  s.history[0] = {{1, 2, 3}, {0.5F, 0.25F, 0.125F}};
  checkpoint.add(0, p, &s);
  Posterior empty;
  empty.status = Status::not_visited;
  EpState none;
  checkpoint.add(1, empty, &none);
  return read_file(folder.path("c"));
}

inline std::string small_halves() {
  const TempDir folder;
  HalfLog halves({folder.path("c"), 0, false}, small_run, small_sizes.features);
  halves.add(0, std::vector{0.25, 1.0});
  halves.add(1, std::nullopt);
  return read_file(folder.path("c.halves"));
}

inline nlohmann::ordered_json small_settings() {
  return {{"file", "t.csv"}, {"splits", 3}, {"methods", {"sbc", "fda"}}};
}

inline std::string small_comparison() {
  return split_csv(small_settings(), {{0, "sbc", 5, 0.2, 0.4, "converged", 4, 4, 0.1, 0.05},
                                      {0, "fda", 5, 0.4, 0.6, "converged", 1, 1, 0.5, 0},
                                      {1, "sbc", 5, 0, 0.1, "stalled", 4, 2, 0.1, 0.05}});
}

}  // namespace cavity::test
