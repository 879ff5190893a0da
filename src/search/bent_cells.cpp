#include "search/bent_cells.hpp"

#include <algorithm>
#include <cmath>

#include "assess/deal_folds.hpp"
#include "design/some_samples.hpp"
#include "infer/kernel_predictive.hpp"

namespace cavity {

namespace {

constexpr std::size_t enough_for_scales = 600;  // samples, about
constexpr double ascent_flip = 0.02;
constexpr double jitter = 1e-6;  // of the kernel's diagonal: copies of one sample

constexpr KernelScales first_scales{4, 0.5, 1};
constexpr double first_length = 2;  // of sum d: a squared distance between samples is twice that
constexpr int scale_steps = 20, scale_updates = 2;

// Without a straight part at the start: with one, 500 samples of madelon end where many features together explain the
// labels (.40 and .46 of new ones wrong), without it at .14 to .21.
constexpr KernelScales bent_scales{4, 0.001, 1};
constexpr double relevance_lengths[] = {2, 6};
constexpr int relevance_steps = 15, relevance_updates = 2;

AnyActivation ascent_activation(ActivationKind kind) {
  return kind == ActivationKind::step ? bent_activation(kind, ascent_flip, 1) : bent_activation(kind, 1, 0);
}

/// Some of the samples, with all that goes with them.
struct Part {
  Part(const BentProblem& problem, std::vector<std::size_t> which)
      : design(problem.design, which),
        covariates{problem.covariates.count() > 0 ? Matrix(problem.covariates.values(which, Eigen::all))
                                                  : Matrix(static_cast<Eigen::Index>(which.size()), 0),
                   problem.covariates.precision} {
    std::vector<std::string> names;
    for (const std::size_t mu : which) {
      labels.push_back(problem.labels[mu]);
      if (problem.groups) names.push_back(std::to_string(problem.groups->of[mu]));
    }
    if (problem.groups) groups = gather_groups(names);
  }

  const SampleGroups* together() const { return groups ? &*groups : nullptr; }

  SomeSamples design;
  Covariates covariates;
  std::vector<std::int8_t> labels;
  std::optional<SampleGroups> groups;
};

/// About as many samples as are enough for scales, both classes as among all; all of up to half as many again.
std::vector<std::size_t> some_samples(std::span<const std::int8_t> labels) {
  const std::size_t parts = std::max<std::size_t>(1, (labels.size() + enough_for_scales / 2) / enough_for_scales);
  const std::vector<std::size_t> fold = deal_folds(labels, parts, Random(1, dealing_stream));
  std::vector<std::size_t> out;
  for (std::size_t mu = 0; mu < fold.size(); ++mu)
    if (fold[mu] == 0) out.push_back(mu);
  return out;
}

FeatureKernel equal_kernel(std::size_t features, double length, const KernelScales& scales) {
  return {std::vector<double>(features, length / static_cast<double>(features)), scales};
}

std::vector<BentCell> equal_cells(const BentProblem& problem, bool bent, ThreadPool& pool) {
  const AscentProblem ascent{problem.design, problem.labels, problem.covariates, ascent_activation(problem.activation),
                             problem.keep_going};
  const AscentOptions how{.relevance = Relevance::equal, .steps = scale_steps, .updates = scale_updates, .bent = bent};
  const Ascent found = ascend(ascent, equal_kernel(problem.design.features(), first_length, first_scales), how, pool);
  return found.found ? solve_bent_cells(problem, found.kernel, bent_settings(problem.activation), pool)
                     : std::vector<BentCell>();
}

Matrix kernel_matrix(const BentProblem& problem, const FeatureKernel& kernel, ThreadPool& pool) {
  Matrix out = kernel_parts(problem.design, kernel.relevance, problem.covariates, pool).at(kernel.scales);
  out.diagonal() *= 1 + jitter;
  return out;
}

}  // namespace

AnyActivation bent_activation(ActivationKind kind, double noise, double width) {
  return make_activation(kind, noise, width, 1);
}

std::vector<BentSetting> bent_settings(ActivationKind kind) {
  if (kind == ActivationKind::step) return {{0, 1}, {0.02, 1}, {0.08, 1}};
  return {{1, 0}};
}

KernelsCompared compare_kernels(const BentProblem& problem, ThreadPool& pool) {
  KernelsCompared out{some_samples(problem.labels), {}, {}};
  const Part part(problem, out.samples);
  const BentProblem some{part.design,        part.labels,     part.covariates,
                         problem.activation, part.together(), problem.keep_going};
  out.straight = equal_cells(some, false, pool);
  out.bent = equal_cells(some, true, pool);
  return out;
}

std::optional<FeatureKernel> find_relevances(const BentProblem& problem, const std::vector<std::size_t>& samples,
                                             ThreadPool& pool) {
  const Part part(problem, samples);
  const AscentProblem all{part.design, part.labels, part.covariates, ascent_activation(problem.activation),
                          problem.keep_going};
  std::optional<Ascent> best;
  for (const double length : relevance_lengths) {
    Ascent end = ascend(all, equal_kernel(problem.design.features(), length, bent_scales),
                        {.relevance = Relevance::free, .steps = relevance_steps, .updates = relevance_updates}, pool);
    if (end.found && (!best || end.log_evidence > best->log_evidence)) best = std::move(end);
  }
  if (!best) return std::nullopt;
  return std::move(best->kernel);
}

double relevance_operations(std::size_t samples, std::size_t features) {
  const auto m = static_cast<double>(samples), n = static_cast<double>(features);
  // A gram, a pass of quadratic forms, a Cholesky and an inverse.
  const double step = m * m * n + relevance_updates * m * m * m / 2;
  return static_cast<double>(std::size(relevance_lengths)) * relevance_steps * step;
}

std::vector<BentCell> solve_bent_cells(const BentProblem& problem, const FeatureKernel& kernel,
                                       std::span<const BentSetting> settings, ThreadPool& pool) {
  const Matrix matrix = kernel_matrix(problem, kernel, pool);
  std::vector<BentCell> out;
  for (const auto& [noise, width] : settings) {
    KernelEpOptions how;
    if (!out.empty()) how.start = &out.back().sites;
    KernelFit fit = fit_kernel_ep(
        {matrix, problem.labels, bent_activation(problem.activation, noise, width), problem.groups}, how, pool);
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
    const AnyActivation activation = bent_activation(problem.activation, noise, width);
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
