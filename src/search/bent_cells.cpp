#include "search/bent_cells.hpp"

#include <cmath>
#include <numeric>

#include "design/some_samples.hpp"
#include "infer/kernel_predictive.hpp"
#include "search/some_of_both.hpp"

namespace cavity {

namespace {

constexpr double jitter = 1e-6;  // of the kernel's diagonal: copies of one sample

constexpr KernelScales first_scales{4, 0.5, 1};
constexpr int scale_steps = 20;

/// Some of the samples, with all that goes with them.
struct Part {
  Part(const BentProblem& problem, std::vector<std::size_t> which)
      : design(problem.design, which),
        covariates(covariates_of(problem.covariates, which)),
        labels(labels_of(problem.labels, which)) {
    if (!problem.groups) return;
    std::vector<std::string> names;
    for (const std::size_t mu : which) names.push_back(std::to_string(problem.groups->of[mu]));
    groups = gather_groups(names);
  }

  const SampleGroups* together() const { return groups ? &*groups : nullptr; }

  SomeSamples design;
  Covariates covariates;
  std::vector<std::int8_t> labels;
  std::optional<SampleGroups> groups;
};

std::vector<BentCell> equal_cells(const BentProblem& problem, bool bent, ThreadPool& pool) {
  const AscentProblem ascent{problem.design, problem.labels, problem.covariates, ascent_activation(problem.activation),
                             problem.keep_going};
  const AscentOptions how{.relevance = Relevance::equal, .steps = scale_steps, .bent = bent};
  const Ascent found =
      ascend(ascent, equal_kernel(problem.design.features(), first_lengths[0], first_scales), how, pool);
  return found.found ? solve_bent_cells(problem, found.kernel, bent_settings(problem.activation), pool)
                     : std::vector<BentCell>();
}

Matrix kernel_matrix(const BentProblem& problem, const FeatureKernel& kernel, ThreadPool& pool) {
  Matrix out = kernel_parts(problem.design, kernel.relevance, problem.covariates, pool).at(kernel.scales);
  out.diagonal() *= 1 + jitter;
  return out;
}

}  // namespace

FeatureKernel equal_kernel(std::size_t features, double length, const KernelScales& scales) {
  return {std::vector<double>(features, length / static_cast<double>(features)), scales};
}

AnyActivation ascent_activation(ActivationKind kind) {
  const std::vector<BentSetting> settings = bent_settings(kind);
  const auto& [noise, width] = settings[settings.size() / 2];
  return make_activation(kind, noise, width, 1);
}

std::vector<BentSetting> bent_settings(ActivationKind kind) {
  if (kind == ActivationKind::step) return {{0, 1}, {0.02, 1}, {0.08, 1}};
  return {{1, 0}};
}

KernelsCompared compare_kernels(const BentProblem& problem, ThreadPool& pool) {
  std::vector<std::size_t> all(problem.labels.size());
  std::iota(all.begin(), all.end(), 0);
  KernelsCompared out{some_of_both(problem.labels, all, enough_samples), {}, {}};
  const Part part(problem, out.samples);
  const BentProblem some{part.design,        part.labels,     part.covariates,
                         problem.activation, part.together(), problem.keep_going};
  out.straight = equal_cells(some, false, pool);
  out.bent = equal_cells(some, true, pool);
  return out;
}

std::vector<BentCell> solve_bent_cells(const BentProblem& problem, const FeatureKernel& kernel,
                                       std::span<const BentSetting> settings, ThreadPool& pool) {
  const Matrix matrix = kernel_matrix(problem, kernel, pool);
  std::vector<BentCell> out;
  for (const auto& [noise, width] : settings) {
    KernelEpOptions how;
    if (!out.empty()) how.start = &out.back().sites;
    KernelFit fit = fit_kernel_ep(
        {matrix, problem.labels, make_activation(problem.activation, noise, width, 1), problem.groups}, how, pool);
    if (!usable(fit.status)) continue;
    out.push_back({kernel, noise, width, std::move(fit.sites), std::move(fit.loo_log_probability), fit.log_evidence});
  }
  return out;
}

std::vector<std::vector<double>> ask_bent_cells(const BentProblem& problem, const FeatureKernel& kernel,
                                                const std::vector<std::size_t>& in, const std::vector<std::size_t>& out,
                                                ThreadPool& pool) {
  const Matrix all = kernel_matrix(problem, kernel, pool), own = all(in, in), cross = all(out, in);
  const Eigen::VectorXd diagonal = all.diagonal()(out);
  std::vector<std::int8_t> labels;
  for (const std::size_t mu : in) labels.push_back(problem.labels[mu]);
  std::vector<std::vector<double>> said;
  for (const auto& [noise, width] : bent_settings(problem.activation)) {
    const AnyActivation activation = make_activation(problem.activation, noise, width, 1);
    const KernelFit fit = fit_kernel_ep({own, labels, activation}, {}, pool);
    if (!usable(fit.status)) return {};
    const NewFields fields = KernelPredictive(fit)(cross, diagonal, pool);
    std::vector<double>& one = said.emplace_back();
    for (std::size_t i = 0; i < out.size(); ++i)
      one.push_back(
          std::log(average_likelihood(activation, problem.labels[out[i]] * fields.mean[i], fields.variance[i])));
  }
  return said;
}

}  // namespace cavity
