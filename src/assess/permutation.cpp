#include "assess/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "assess/covariate_space.hpp"
#include "assess/exchange.hpp"
#include "assess/strongest_feature.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr std::size_t counts[] = {999, 199, 99, 19};  // with fewer p cannot be below .05
constexpr double rounding = 1e-9;                     // of a log loss: the same labels in another order
constexpr std::uint64_t permutation_stream = 1 << 22;

void check(const PermutationInput& input) {
  const auto samples = static_cast<Eigen::Index>(input.classes.size());
  if (input.kernel.rows() != samples || input.kernel.cols() != samples || input.covariates.rows() != samples ||
      (input.groups && input.groups->of.size() != input.classes.size()))
    throw std::invalid_argument(fmt::format("a kernel of {} x {} and {} rows of covariates for {} samples",
                                            input.kernel.rows(), input.kernel.cols(), input.covariates.rows(),
                                            samples));
  if (!std::ranges::all_of(input.classes, [&](std::uint32_t k) { return k < input.class_count; }))
    throw std::invalid_argument(fmt::format("a class beyond {}", input.class_count));
  if (!input.kernel.allFinite() || !input.covariates.allFinite())
    throw std::invalid_argument("a kernel or covariates that are not finite");
}

/// R K R over its mean diagonal, R = 1 - Q Q^T; nothing where nothing is left.
std::optional<Matrix> cleared(const Matrix& kernel, const Matrix& q) {
  Matrix out = kernel;
  if (q.cols() > 0) {
    const Matrix kq = kernel * q;
    const Matrix half = kq - 0.5 * q * (q.transpose() * kq);  // R K R = K - half Q^T - Q half^T
    out.noalias() -= half * q.transpose();
    out.noalias() -= q * half.transpose();
  }
  const double diagonal = out.trace() / static_cast<double>(out.rows());
  if (!(diagonal > nothing_left * kernel.trace() / static_cast<double>(out.rows()))) return std::nullopt;
  return out / diagonal;
}

double operations_a_labelling(const PermutationInput& input, const Labelling& labelled) {
  const auto questions = static_cast<double>(question_count(input.class_count));
  const double features = input.design ? static_cast<double>(input.design->total_features()) : 0;
  return OneStep::operations_each(labelled) + questions * features * static_cast<double>(input.classes.size());
}

std::size_t affordable(const PermutationInput& input, const Labelling& labelled, double operations) {
  const double left = operations - OneStep::operations_once(labelled.classes.size());
  for (const std::size_t count : counts)
    if (static_cast<double>(count) * operations_a_labelling(input, labelled) <= left) return count;
  return 0;
}

/// Of each value the share of all that are at most as large, itself counted.
std::vector<double> shares_at_most(const std::vector<double>& values) {
  std::vector<double> sorted = values, out;
  std::ranges::sort(sorted);
  for (const double value : values) {
    const auto at_most =
        std::upper_bound(sorted.begin(), sorted.end(), value + rounding * std::abs(value)) - sorted.begin();
    out.push_back(static_cast<double>(at_most) / static_cast<double>(values.size()));
  }
  return out;
}

/// Mean and standard deviation of a figure, without the first, which is of the labels as they are.
void spread_of(const std::vector<LeftOutFigures>& figures, double LeftOutFigures::*which, PermutationTest& out) {
  const auto count = static_cast<double>(figures.size() - 1);
  double sum = 0, squares = 0;
  for (std::size_t i = 1; i < figures.size(); ++i) sum += figures[i].*which;
  for (std::size_t i = 1; i < figures.size(); ++i) squares += std::pow(figures[i].*which - sum / count, 2);
  out.mean.*which = sum / count;
  out.sd.*which = std::sqrt(squares / (count - 1));
}

/// The first of each is of the labels as they are.
PermutationTest judge(const std::vector<LeftOutFigures>& figures, const std::vector<double>& strongest) {
  std::vector<double> losses;
  for (const LeftOutFigures& of_list : figures) losses.push_back(of_list.log_loss);
  const std::vector<double> together = shares_at_most(losses);
  PermutationTest out;
  out.permutations = losses.size() - 1;
  out.statistic = losses[0];
  out.expected = std::accumulate(losses.begin() + 1, losses.end(), 0.0) / static_cast<double>(out.permutations);
  out.p = out.p_together = together[0];
  for (double LeftOutFigures::*which : {&LeftOutFigures::log_loss, &LeftOutFigures::error, &LeftOutFigures::auc,
                                        &LeftOutFigures::sensitivity, &LeftOutFigures::specificity})
    spread_of(figures, which, out);
  if (strongest.empty()) return out;
  std::vector<double> weakness, smaller;
  for (const double said : strongest) weakness.push_back(-said);
  const std::vector<double> alone = shares_at_most(weakness);
  for (std::size_t i = 0; i < together.size(); ++i) smaller.push_back(std::min(together[i], alone[i]));
  out.p_strongest = alone[0];
  out.p = shares_at_most(smaller)[0];
  return out;
}

}  // namespace

Matrix feature_kernel(const Design& design, ThreadPool& pool) {
  Matrix out;
  const double share = 1 / static_cast<double>(design.total_features());
  design.gram(std::vector<double>(design.features(), share), out, pool);
  return out;
}

PermutationAnswer permutation_test(const PermutationInput& input, const PermutationOptions& options, ThreadPool& pool) {
  check(input);
  const Exchange exchange(input.classes, input.covariates, input.groups);
  const std::size_t fewest = *std::rbegin(counts) + 1;
  if (exchange.log_labellings() < std::log(fewest))
    return {{}, fmt::format("{} samples can be labelled in fewer than {} ways", input.classes.size(), fewest)};
  const Labelling labelled{input.covariates, input.classes, input.class_count, input.groups};
  const std::size_t count = affordable(input, labelled, options.operations);
  if (count == 0)
    return {{}, fmt::format("{} samples are too many for {:.1g} operations", input.classes.size(), options.operations)};
  const Matrix covariates = covariate_basis(input.covariates);
  if (input.kernel.rows() <= covariates.cols())
    return {{},
            fmt::format("{} covariates leave nothing to test on {} samples", covariates.cols(), input.kernel.rows())};
  const std::optional<Matrix> kernel = cleared(input.kernel, covariates);
  if (!kernel) return {{}, "the features say nothing beyond the covariates"};
  std::vector<std::vector<std::size_t>> sources(1, std::vector<std::size_t>(input.classes.size()));
  std::iota(sources[0].begin(), sources[0].end(), 0);
  for (std::size_t i = 0; i < count; ++i)
    sources.push_back(exchange.draw(Random(options.seed, permutation_stream + i)));
  const std::vector<double> strongest =
      input.design ? strongest_feature(*input.design, labelled, sources, pool) : std::vector<double>();
  return {judge(OneStep(*kernel, labelled, pool).figures(sources, pool), strongest), ""};
}

}  // namespace cavity
