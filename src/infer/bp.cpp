// Messages on the edge (mu, l), X' = diag(y) X/sqrt(N), V = C - Q:
//   D_mu\l   = sum_{j != l} X'_mu,j m_{j->mu}                    field of sample mu without feature l
//   a_{mu->l} = a(D_mu\l; V)
//   h_l\mu   = sum_{nu != mu} X'_nu,l a_{nu->l}                  message on feature l without sample mu
//   m_{l->mu} = m(h_l\mu; A, lambda),  (A, lambda) from the pruning conditions on h_l = sum_nu X'_nu,l a_{nu->l}
// Leave-one-out reads D_mu = sum_j X'_mu,j m_{j->mu}.
#include "infer/bp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "cavity/errors.hpp"

namespace cavity {

namespace {

constexpr std::size_t max_edges = 10'000'000;

struct Edges {
  Matrix x;  // X'
  Matrix m;  // m_{l->mu}
  Matrix a;  // a_{mu->l}
};

Edges make_edges(const Problem& problem) {
  Edges edges;
  std::vector<std::size_t> all(problem.design.features());
  std::iota(all.begin(), all.end(), 0);
  problem.design.columns(all, edges.x);
  for (Eigen::Index mu = 0; mu < edges.x.rows(); ++mu)
    edges.x.row(mu) *= problem.labels[static_cast<std::size_t>(mu)] / std::sqrt(static_cast<double>(all.size()));
  edges.m = Matrix::Zero(edges.x.rows(), edges.x.cols());
  edges.a = edges.m;
  return edges;
}

double train_error(const Edges& edges, const std::vector<double>& mean) {
  std::vector<double> fields(static_cast<std::size_t>(edges.x.rows()));
  for (std::size_t mu = 0; mu < fields.size(); ++mu)
    fields[mu] =
        edges.x.row(static_cast<Eigen::Index>(mu)).dot(Eigen::Map<const Eigen::VectorXd>(mean.data(), edges.x.cols()));
  return sign_error(fields);
}

}  // namespace

Posterior fit_bp(const Problem& problem, const SolverOptions& options) {
  check_problem(problem);
  const std::size_t n = problem.design.features(), samples = problem.design.samples();
  if (n * samples > max_edges)
    throw UsageError(fmt::format("bp keeps a message an edge and {} x {} is above {} edges: use `solver=amp`", samples,
                                 n, max_edges));
  if (problem.covariates.count() > 0) throw UsageError("bp has no intercept or covariates: use amp or ep");

  Edges edges = make_edges(problem);
  std::vector<double> h(n, 0), mean(n, 0), proposal(n, 0), field(samples, 0);
  PruningPrior prior = uninformed_prior(problem.density);
  Posterior posterior;
  posterior.status = Status::stalled;
  double v = problem.density, share = 1, last = std::numeric_limits<double>::infinity();
  while (posterior.iterations < options.max_iterations) {
    ++posterior.iterations;
    std::fill(h.begin(), h.end(), 0);
    for (Eigen::Index mu = 0; mu < edges.x.rows(); ++mu) {
      const double full = field[static_cast<std::size_t>(mu)] = edges.x.row(mu).dot(edges.m.row(mu));
      for (Eigen::Index l = 0; l < edges.x.cols(); ++l) {
        edges.a(mu, l) = tilt(problem.activation, full - edges.x(mu, l) * edges.m(mu, l), v).a;
        h[static_cast<std::size_t>(l)] += edges.x(mu, l) * edges.a(mu, l);
      }
    }
    prior = solve_pruning({h, {}}, {problem.density}, prior).prior;
    pruned_moments({h, {}}, prior, {{}, proposal, {}});
    double change = 0, length = 0, power = 0;
    for (std::size_t l = 0; l < n; ++l) {
      change += (proposal[l] - mean[l]) * (proposal[l] - mean[l]);
      length += proposal[l] * proposal[l];
      mean[l] += share * (proposal[l] - mean[l]);
      power += mean[l] * mean[l];
    }
    for (Eigen::Index mu = 0; mu < edges.x.rows(); ++mu)
      for (Eigen::Index l = 0; l < edges.x.cols(); ++l) {
        const double cavity = h[static_cast<std::size_t>(l)] - edges.x(mu, l) * edges.a(mu, l);
        edges.m(mu, l) += share * (pruned_moments(cavity, prior.precision, prior.log_odds).mean - edges.m(mu, l));
      }
    v = problem.density - power / static_cast<double>(n);
    posterior.residual = std::sqrt(change / std::max(length, std::numeric_limits<double>::min()));
    if (options.observer && !options.observer({posterior.iterations, posterior.residual, share, mean})) break;
    if (posterior.residual < options.tolerance) {
      posterior.status = Status::converged;
      break;
    }
    if (posterior.residual > last) share = std::max(0.7 * share, 0.05);
    last = posterior.residual;
  }
  for (auto* out : {&posterior.inclusion, &posterior.mean, &posterior.variance}) out->resize(n);
  pruned_moments({h, {}}, prior, {posterior.inclusion, posterior.mean, posterior.variance});
  posterior.prior = prior;
  posterior.cavity_mean = field;
  posterior.cavity_variance.assign(samples, v);
  posterior.common_field_variance = v;
  posterior.log_evidence = std::numeric_limits<double>::quiet_NaN();
  leave_one_out(problem.activation, posterior);
  posterior.train_error = train_error(edges, mean);
  return posterior;
}

}  // namespace cavity
