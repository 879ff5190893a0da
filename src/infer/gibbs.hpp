#pragma once
#include "infer/posterior.hpp"
namespace cavity {
struct GibbsOptions {
  std::uint64_t seed = 1;
};
inline Posterior fit_gibbs(const Problem&, const GibbsOptions&, ThreadPool&) { return {}; }
}  // namespace cavity
