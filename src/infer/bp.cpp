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

constexpr double smallest_share = 0.05;  // of a proposal: less would only make a run that oscillates outlast its limit
constexpr double shrink = 0.7;           // of the share after each rise of the residual; it never grows again

void check_size(const Problem& problem) {
  const std::size_t n = problem.design.features(), samples = problem.design.samples();
  if (n * samples > max_edges)
    throw UsageError(fmt::format("bp keeps a message an edge and {} x {} is above {} edges: use `solver=amp`", samples,
                                 n, max_edges));
  if (problem.covariates.count() > 0) throw UsageError("bp has no intercept or covariates: use amp or ep");
}

class BpRun {
 public:
  explicit BpRun(const Problem& problem);

  /// One update; the relative length of the proposed change of the means.
  double update(double share);
  std::span<const double> mean() const { return mean_; }
  void finish(Posterior& posterior) const;

 private:
  void react();
  double move_means(double share);
  void move_edges(double share);

  const Problem& problem_;
  Matrix x_;  // X'
  Matrix m_;  // m_{l->mu}
  Matrix a_;  // a_{mu->l}
  std::vector<double> h_, mean_, proposal_, field_;
  PruningPrior prior_;
  double v_;
};

BpRun::BpRun(const Problem& problem)
    : problem_(problem), prior_(uninformed_prior(problem.density)), v_(problem.density) {
  std::vector<std::size_t> all(problem.design.features());
  std::iota(all.begin(), all.end(), 0);
  problem.design.columns(all, x_);
  for (Eigen::Index mu = 0; mu < x_.rows(); ++mu)
    x_.row(mu) *= problem.labels[static_cast<std::size_t>(mu)] / std::sqrt(static_cast<double>(all.size()));
  m_ = Matrix::Zero(x_.rows(), x_.cols());
  a_ = m_;
  for (auto* v : {&h_, &mean_, &proposal_}) v->assign(all.size(), 0);
  field_.assign(problem.design.samples(), 0);
}

void BpRun::react() {
  std::fill(h_.begin(), h_.end(), 0);
  for (Eigen::Index mu = 0; mu < x_.rows(); ++mu) {
    const double full = field_[static_cast<std::size_t>(mu)] = x_.row(mu).dot(m_.row(mu));
    for (Eigen::Index l = 0; l < x_.cols(); ++l) {
      a_(mu, l) = tilt(problem_.activation, full - x_(mu, l) * m_(mu, l), v_).a;
      h_[static_cast<std::size_t>(l)] += x_(mu, l) * a_(mu, l);
    }
  }
}

double BpRun::move_means(double share) {
  double change = 0, length = 0, power = 0;
  for (std::size_t l = 0; l < mean_.size(); ++l) {
    change += (proposal_[l] - mean_[l]) * (proposal_[l] - mean_[l]);
    length += proposal_[l] * proposal_[l];
    mean_[l] += share * (proposal_[l] - mean_[l]);
    power += mean_[l] * mean_[l];
  }
  v_ = problem_.density - power / static_cast<double>(mean_.size());
  return std::sqrt(change / std::max(length, std::numeric_limits<double>::min()));
}

void BpRun::move_edges(double share) {
  for (Eigen::Index mu = 0; mu < x_.rows(); ++mu)
    for (Eigen::Index l = 0; l < x_.cols(); ++l) {
      const double cavity = h_[static_cast<std::size_t>(l)] - x_(mu, l) * a_(mu, l);
      m_(mu, l) += share * (pruned_moments(cavity, prior_.precision, prior_.log_odds).mean - m_(mu, l));
    }
}

double BpRun::update(double share) {
  react();
  prior_ = solve_pruning({h_, {}}, {problem_.density}, prior_).prior;
  pruned_moments({h_, {}}, prior_, {{}, proposal_, {}});
  const double residual = move_means(share);
  move_edges(share);
  return residual;
}

void BpRun::finish(Posterior& posterior) const {
  for (auto* out : {&posterior.inclusion, &posterior.mean, &posterior.variance}) out->resize(mean_.size());
  pruned_moments({h_, {}}, prior_, {posterior.inclusion, posterior.mean, posterior.variance});
  posterior.prior = prior_;
  posterior.cavity_mean = field_;
  posterior.cavity_variance.assign(field_.size(), v_);
  posterior.common_field_variance = v_;
  posterior.log_evidence = std::numeric_limits<double>::quiet_NaN();
  leave_one_out(problem_.activation, posterior);
  const Eigen::Map<const Eigen::VectorXd> mean(mean_.data(), x_.cols());
  std::vector<double> fields(field_.size());
  for (std::size_t mu = 0; mu < fields.size(); ++mu) fields[mu] = x_.row(static_cast<Eigen::Index>(mu)).dot(mean);
  posterior.train_error = sign_error(fields);
}

}  // namespace

Posterior fit_bp(const Problem& problem, const SolverOptions& options) {
  check_problem(problem);
  check_size(problem);
  BpRun run(problem);
  Posterior posterior;
  posterior.status = Status::stalled;
  double share = 1, last = std::numeric_limits<double>::infinity();
  while (posterior.iterations < options.max_iterations) {
    ++posterior.iterations;
    posterior.residual = run.update(share);
    if (options.observer && !options.observer({posterior.iterations, posterior.residual, share, run.mean()})) break;
    if (posterior.residual < options.tolerance) {
      posterior.status = Status::converged;
      break;
    }
    if (posterior.residual > last) share = std::max(shrink * share, smallest_share);
    last = posterior.residual;
  }
  run.finish(posterior);
  return posterior;
}

}  // namespace cavity
