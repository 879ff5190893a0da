// Where EP starts for some of the samples, from its solution for all of them.
#pragma once

#include <vector>

#include "infer/ep.hpp"

namespace cavity {

/// What these samples have told each other and the features: a share of them tells that share. Halves of colon and
/// prostate converge from here in 15-18 updates, from the messages as they are every second one does not.
inline EpState told_by(const EpState& all, const std::vector<std::size_t>& samples) {
  EpState out;
  const double share = static_cast<double>(samples.size()) / static_cast<double>(all.mean.size());
  for (const double h : all.linear) out.linear.push_back(share * h);
  for (const double a : all.precision) out.precision.push_back(share * a);
  for (const std::size_t mu : samples) {
    out.mean.push_back(all.mean[mu]);
    out.log_variance.push_back(all.log_variance[mu]);
  }
  out.prior = all.prior;
  out.density = all.density;
  return out;
}

}  // namespace cavity
