#include "fit/panel_search.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cavity {

namespace {

constexpr double intercept_ridge = 1e-6;  // next to none: so that an intercept of saturated samples has a curvature

Eigen::VectorXd penalties(const PanelProblem& problem, Eigen::Index inputs) {
  const auto samples = static_cast<double>(problem.target.rows());
  Eigen::VectorXd out = Eigen::VectorXd::Constant(inputs, problem.ridge * samples);
  if (problem.intercept) out[0] = intercept_ridge * samples;
  return out;
}

std::vector<double> column(const Matrix& from, Eigen::Index k) {
  const Eigen::VectorXd out = from.col(k);
  return {out.begin(), out.end()};
}

/// The part of the slopes' lengths z_l^T V z_l that A explains.
std::vector<double> explained(const PanelProblem& problem, const Matrix& inputs, const Eigen::VectorXd& slope,
                              ThreadPool& pool) {
  const auto features = static_cast<Eigen::Index>(problem.design.features());
  const Matrix weighted = slope.asDiagonal() * inputs;
  Matrix crossed(inputs.cols(), features);
  for (Eigen::Index j = 0; j < inputs.cols(); ++j)
    problem.design.transpose_times(column(weighted, j), {crossed.row(j).data(), static_cast<std::size_t>(features)},
                                   pool);
  Eigen::MatrixXd curvature = inputs.transpose() * weighted;
  curvature.diagonal() += penalties(problem, inputs.cols());
  const Eigen::LLT<Eigen::MatrixXd> factor(curvature);
  factor.matrixL().solveInPlace(crossed);
  const Eigen::VectorXd out = crossed.colwise().squaredNorm();
  return {out.begin(), out.end()};
}

class Search {
 public:
  Search(const PanelProblem& problem, const PanelRules& rules) : rules_(rules), open_(rules.open), must_(rules.must) {
    if (open_.empty()) open_.assign(problem.design.features(), 1);
  }

  /// The best of those that must be in it, then of all; the number of features where none gains anything.
  std::size_t pick(const std::vector<double>& gain) {
    double best = 0;
    std::size_t out = gain.size();
    const auto look = [&](std::size_t l, bool forced) {
      const double worth = gain[l] / (rules_.price.empty() ? 1 : rules_.price[l]);
      if (!(worth > best) && !(forced && out == gain.size())) return;
      best = worth;
      out = l;
    };
    if (!must_.empty())
      for (const std::size_t l : must_) look(l, true);
    else
      for (std::size_t l = 0; l < gain.size(); ++l)
        if (open_[l] != 0) look(l, false);
    if (out == gain.size()) return out;
    open_[out] = 0;
    std::erase(must_, out);
    return out;
  }

 private:
  const PanelRules& rules_;
  std::vector<char> open_;
  std::vector<std::size_t> must_;
};

}  // namespace

Matrix panel_inputs(const PanelProblem& problem, std::span<const std::size_t> features) {
  Matrix own(problem.always.rows(), static_cast<Eigen::Index>(features.size()));
  if (!features.empty()) problem.design.columns(features, own);
  Matrix out(problem.always.rows(), problem.always.cols() + own.cols());
  out << problem.always, own;
  return out;
}

SoftFit fit_panel(const PanelProblem& problem, const Matrix& inputs, const Matrix* start) {
  const Matrix nothing = Matrix::Zero(inputs.cols(), problem.target.cols());
  return fit_soft(inputs, problem.target, penalties(problem, inputs.cols()), start ? *start : nothing);
}

std::vector<double> panel_gains(const PanelProblem& problem, const Matrix& inputs, const SoftFit& fit,
                                ThreadPool& pool) {
  const std::size_t features = problem.design.features();
  const Matrix rest = problem.target - fit.probability, slopes = soft_slopes(fit.probability);
  const double ridge = problem.ridge * static_cast<double>(problem.target.rows());
  std::vector<double> out(features, 0), pull(features), length(features);
  for (Eigen::Index k = 0; k < rest.cols(); ++k) {
    problem.design.transpose_times(column(rest, k), pull, pool);
    problem.design.squared_transpose_times(column(slopes, k), length, pool);
    const std::vector<double> known = explained(problem, inputs, slopes.col(k), pool);
    for (std::size_t l = 0; l < features; ++l)
      out[l] += pull[l] * pull[l] / (std::max(length[l] - known[l], 0.0) + ridge);
  }
  return out;
}

std::vector<PanelStep> search_panel(const PanelProblem& problem, const PanelRules& rules, ThreadPool& pool) {
  std::vector<PanelStep> out;
  std::vector<std::size_t> chosen;
  Matrix inputs = problem.always;
  SoftFit fit = fit_panel(problem, inputs);
  Search search(problem, rules);
  while (out.size() < rules.most) {
    const std::size_t next = search.pick(panel_gains(problem, inputs, fit, pool));
    if (next == problem.design.features()) break;
    chosen.push_back(next);
    inputs = panel_inputs(problem, chosen);
    Matrix start = Matrix::Zero(inputs.cols(), problem.target.cols());
    start.topRows(fit.weight.rows()) = fit.weight;
    fit = fit_panel(problem, inputs, &start);
    out.push_back({next, fit});
  }
  return out;
}

}  // namespace cavity
