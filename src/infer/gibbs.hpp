#pragma once
#include "infer/posterior.hpp"
namespace cavity {
struct GibbsOptions { std::uint64_t seed = 1; };
Posterior fit_gibbs(const Problem& problem, const GibbsOptions& options, ThreadPool& pool);
}
