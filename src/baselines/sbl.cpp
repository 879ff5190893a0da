// With Phi = X/sqrt(N) over the features left, T = diag(1/precision) and K = Phi T Phi^T (+ covariates), the Laplace
// approximation at the mode gives u = dual and R = (K + W^-1)^-1, samples x samples, and for each feature
//   mean = s/precision, s = phi.u;   1 - precision * variance = q/precision, q = phi^T R phi
// so that the evidence update  precision <- (1 - precision * variance)/mean^2  is  precision <- precision q/s^2.
#include "baselines/sbl.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baselines/laplace.hpp"

namespace cavity {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double negligible = 1e-8;  // prior variance of a feature's part of the field, below which it is pruned
constexpr double largest_step = 4;   // of ln precision, one update
constexpr double covariate_start = 1 / (0.3 * 0.3), covariate_least = 1e-4, covariate_most = 1e6;

struct State {
  std::vector<std::size_t> left;  // features
  MatrixXd phi;                   // samples x left
  VectorXd precision, power;      // a feature left; power: mean square over samples
  double covariate_precision = covariate_start;
  VectorXd s, q;
};

State begin(const Design& design, double precision) {
  State state;
  state.left.resize(design.features());
  std::iota(state.left.begin(), state.left.end(), 0);
  Matrix values;
  design.columns(state.left, values);
  state.phi = values / std::sqrt(static_cast<double>(design.features()));
  state.precision = VectorXd::Constant(state.phi.cols(), precision);
  state.power = state.phi.colwise().squaredNorm().transpose() / static_cast<double>(state.phi.rows());
  return state;
}

MatrixXd kernel(const State& state, const Covariates& covariates) {
  const MatrixXd root = state.phi * state.precision.cwiseSqrt().cwiseInverse().asDiagonal();
  MatrixXd k = MatrixXd::Zero(root.rows(), root.rows());
  k.selfadjointView<Eigen::Lower>().rankUpdate(root);
  if (covariates.count() > 0)
    k.selfadjointView<Eigen::Lower>().rankUpdate(covariates.values, 1 / state.covariate_precision);
  return k.selfadjointView<Eigen::Lower>();
}

// Drops the features whose part of the field has become negligible; true when there were any.
bool prune(State& state) {
  std::vector<Eigen::Index> stay;
  for (Eigen::Index i = 0; i < state.phi.cols(); ++i)
    if (state.power(i) > negligible * state.precision(i)) stay.push_back(i);
  if (stay.size() == state.left.size()) return false;
  std::vector<std::size_t> left;
  for (const auto i : stay) left.push_back(state.left[static_cast<std::size_t>(i)]);
  state.left = std::move(left);
  state.phi = MatrixXd(state.phi(Eigen::all, stay));
  state.precision = VectorXd(state.precision(stay));
  state.power = VectorXd(state.power(stay));
  return true;
}

void statistics(const Laplace& laplace, State& state) {
  state.s = state.phi.transpose() * laplace.dual;
  state.q = (laplace.response * state.phi).cwiseProduct(state.phi).colwise().sum().transpose();
}

// One update of all precisions; returns the largest change of a logarithm.
double update(const Laplace& laplace, const Covariates& covariates, State& state) {
  double residual = 0;
  for (Eigen::Index i = 0; i < state.precision.size(); ++i) {
    const double change = std::log(std::max(state.q(i), 1e-300) / std::max(state.s(i) * state.s(i), 1e-300));
    residual = std::max(residual, std::abs(change));
    state.precision(i) *= std::exp(std::clamp(change, -largest_step, largest_step));
  }
  if (covariates.count() == 0) return residual;
  const VectorXd s = covariates.values.transpose() * laplace.dual;
  const double q = (covariates.values.transpose() * laplace.response * covariates.values).trace();
  const double asked = state.covariate_precision * q / std::max(s.squaredNorm(), 1e-300);
  const double next = std::clamp(asked, covariate_least, covariate_most);
  residual = std::max(residual, std::abs(std::log(next / state.covariate_precision)));
  state.covariate_precision = next;
  return residual;
}

void summarise(const State& state, const Covariates& covariates, const Laplace& laplace, const MatrixXd& k,
               SblFit& out) {
  for (std::size_t j = 0; j < state.left.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const std::size_t l = state.left[j];
    out.precision[l] = state.precision(i);
    out.mean[l] = state.s(i) / state.precision(i);
    out.determined[l] = std::clamp(state.q(i) / state.precision(i), 0.0, 1.0);
  }
  VectorXd covariate_mean;  // without covariates there is not even a matrix of the right height
  if (covariates.count() > 0) covariate_mean = covariates.values.transpose() * laplace.dual / state.covariate_precision;
  out.covariate_mean.assign(covariate_mean.begin(), covariate_mean.end());
  out.covariate_precision = state.covariate_precision;
  out.sample_precision.assign(laplace.curvature.begin(), laplace.curvature.end());
  out.field.assign(laplace.field.begin(), laplace.field.end());
  const VectorXd variance = k.diagonal() - (k * laplace.response).cwiseProduct(k).rowwise().sum();
  for (const double v : variance) out.field_variance.push_back(std::max(v, 0.0));
  out.relevant = state.left.size();
}

}  // namespace

SblFit fit_sbl(const Design& design, std::span<const std::int8_t> labels, const Covariates& covariates,
               const SblOptions& options) {
  check_problem({design, labels, covariates, LogisticActivation{1}, 1});
  State state = begin(design, options.start);
  SblFit out;
  out.mean.assign(design.features(), 0);
  out.determined = out.mean;
  out.precision.assign(design.features(), pruned_precision);
  VectorXd dual = VectorXd::Zero(static_cast<Eigen::Index>(labels.size()));
  MatrixXd k = kernel(state, covariates);
  Laplace laplace = laplace_mode(k, labels, dual);
  out.first_log_evidence = laplace.log_evidence;
  while (out.iterations < options.max_iterations) {
    ++out.iterations;
    statistics(laplace, state);
    out.residual = update(laplace, covariates, state);
    const bool fewer = prune(state);
    k = kernel(state, covariates);
    laplace = laplace_mode(k, labels, laplace.dual);
    if (!std::isfinite(out.residual) || !laplace.converged) {
      out.status = Status::diverged;
      break;
    }
    if (out.residual < options.tolerance && !fewer) {
      out.status = Status::converged;
      break;
    }
  }
  out.log_evidence = laplace.log_evidence;
  statistics(laplace, state);
  summarise(state, covariates, laplace, k, out);
  return out;
}

}  // namespace cavity
