// Sites Omega = diag(omega) >= 0 and eta, O = Omega:
//   W = (O^-1 + K)^-1 = O^(1/2) (I + O^(1/2) K O^(1/2))^-1 O^(1/2),   field mean f = K (eta - W K eta),
//   field variance S = K - K W K, on the diagonal (1 - W/omega)/omega, which cancels where omega K is small.
// Cavity of a sample, 1 - S omega = W/omega:   V = S omega/W,   D = (f - S eta) omega/W.
// Site of the tilted moments, a and b at (y D, V):   omega = -b/(1 + V b),   eta = y (a - b y D)/(1 + V b).
// A site is negative only where g is not log-concave and the sample far on the wrong side: it is then held at zero.
// log evidence = sum { ln g + ln(1 + V omega)/2 + D^2/(2 V) - f^2/(2 S) + eta f/2 } - ln|I + O^(1/2) K O^(1/2)|/2
#include "infer/kernel_ep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "assess/group_cavity.hpp"
#include "infer/step_share.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

// omega of a sample that says nothing: its row of W keeps its digits.
constexpr double next_to_nothing = 1e-30;
// omega K below which (1 - W/omega)/omega loses its digits.
constexpr double cancels = 1e-4;
// Of a tilted variance against its cavity: omega = -b/shrink would swamp all others.
constexpr double smallest_shrink = 1e-6;

void check_problem(const KernelProblem& problem) {
  const auto samples = static_cast<Eigen::Index>(problem.labels.size());
  if (samples == 0 || problem.kernel.rows() != samples || problem.kernel.cols() != samples)
    throw std::invalid_argument(
        fmt::format("a kernel of {} x {} for {} labels", problem.kernel.rows(), problem.kernel.cols(), samples));
  if (!std::ranges::all_of(problem.labels, [](int y) { return y == 1 || y == -1; }))
    throw std::invalid_argument("labels must be +1 or -1");
}

double relative(double difference, double size) { return size > 0 ? std::sqrt(difference / size) : 0; }

class KernelEp {
 public:
  KernelEp(const KernelProblem& problem, ThreadPool& pool)
      : problem_(problem), pool_(pool), kernel_(problem.kernel), size_(kernel_.rows()) {
    for (Vector* v : {&omega_, &eta_, &b_, &f_, &s_, &d_}) v->setZero(size_);
    w_.setZero(size_, size_);
    v_ = s_ = kernel_.diagonal();
    tilts_.resize(problem.labels.size());
  }

  bool resume(const KernelSites& sites) {
    if (sites.precision.size() != problem_.labels.size()) return true;
    omega_ = Vector::Map(sites.precision.data(), size_).cwiseMax(next_to_nothing);
    eta_ = Vector::Map(sites.linear.data(), size_);
    return solve();
  }

  void tilt_fields();
  void take_sites(double share);
  bool solve();
  double residual() const { return residual_; }
  /// The end: W goes into `out`.
  void write(KernelFit& out);

 private:
  double label(Eigen::Index i) const { return problem_.labels[static_cast<std::size_t>(i)]; }
  const Tilt& tilt_of(Eigen::Index i) const { return tilts_[static_cast<std::size_t>(i)]; }
  double log_evidence() const;
  void leave_groups_out(std::vector<double>& mean, std::vector<double>& variance) const;

  const KernelProblem& problem_;
  ThreadPool& pool_;
  const Matrix& kernel_;
  Eigen::Index size_;
  Matrix w_;
  Vector omega_, eta_, b_, f_, s_, d_, v_;  // d, v: the cavities of the fields without their signs
  std::vector<Tilt> tilts_;
  double log_determinant_ = 0, residual_ = std::numeric_limits<double>::infinity();
  bool held_ = false;  // a site at zero that would be negative
};

void KernelEp::tilt_fields() {
  double mean = 0, mean_size = 0, variance = 0, variance_size = 0;
  for (Eigen::Index i = 0; i < size_; ++i) {
    Tilt& t = tilts_[static_cast<std::size_t>(i)];
    t = tilt(problem_.activation, label(i) * d_[i], v_[i]);
    t.shrink = std::max(t.shrink, smallest_shrink);
    const double field = d_[i] + label(i) * v_[i] * t.a, spread = v_[i] * std::min(t.shrink, 1.0);
    mean += std::pow(field - f_[i], 2);
    mean_size += field * field;
    variance += std::pow(spread - s_[i], 2);
    variance_size += spread * spread;
  }
  residual_ = std::max(relative(mean, mean_size), relative(variance, variance_size));
}

void KernelEp::take_sites(double share) {
  held_ = false;
  for (Eigen::Index i = 0; i < size_; ++i) {
    const Tilt& t = tilt_of(i);
    held_ |= t.b > 0;
    const double b = std::min(t.b, 0.0), shrink = std::min(t.shrink, 1.0);
    const double omega = std::max(-b / shrink, next_to_nothing), eta = label(i) * (t.a - b * label(i) * d_[i]) / shrink;
    omega_[i] = std::max(omega_[i] + share * (omega - omega_[i]), next_to_nothing);
    eta_[i] += share * (eta - eta_[i]);
  }
}

bool KernelEp::solve() {
  const Vector root = omega_.cwiseSqrt();
  w_.noalias() = root.asDiagonal() * kernel_ * root.asDiagonal();
  w_.diagonal().array() += 1;
  const auto log_determinant = invert_positive_definite(w_, pool_);
  if (!log_determinant) return false;
  log_determinant_ = *log_determinant;
  w_ = root.asDiagonal() * w_ * root.asDiagonal();
  f_.noalias() = kernel_ * eta_;
  b_ = eta_ - w_ * f_;
  f_.noalias() = kernel_ * b_;
  for (Eigen::Index i = 0; i < size_; ++i) {
    const double o = omega_[i], share = o / w_(i, i);
    s_[i] = o * kernel_(i, i) > cancels ? (1 - 1 / share) / o : kernel_.row(i).dot(w_.row(i)) / o;
    v_[i] = s_[i] * share;
    d_[i] = (f_[i] - s_[i] * eta_[i]) * share;
  }
  return f_.allFinite() && (v_.array() > 0).all();
}

double KernelEp::log_evidence() const {
  double out = -0.5 * log_determinant_;
  for (Eigen::Index i = 0; i < size_; ++i)
    out += tilt_of(i).log_g + 0.5 * std::log1p(v_[i] * omega_[i]) + 0.5 * d_[i] * d_[i] / v_[i] -
           0.5 * f_[i] * f_[i] / s_[i] + 0.5 * eta_[i] * f_[i];
  return out;
}

void KernelEp::leave_groups_out(std::vector<double>& mean, std::vector<double>& variance) const {
  for (const auto& group : problem_.groups->members) {
    if (group.size() == 1) continue;
    const std::vector<Eigen::Index> at(group.begin(), group.end());
    Matrix covariance = omega_(at).cwiseInverse().asDiagonal() * w_(at, at) * omega_(at).cwiseInverse().asDiagonal();
    covariance *= -1;
    covariance.diagonal() = s_(at);
    const GroupCavity cavity = group_cavity({covariance, f_(at), omega_(at), eta_(at)});
    for (std::size_t i = 0; i < group.size(); ++i) {
      mean[group[i]] = cavity.mean[static_cast<Eigen::Index>(i)];
      variance[group[i]] = cavity.variance[static_cast<Eigen::Index>(i)];
    }
  }
}

void KernelEp::write(KernelFit& out) {
  const auto copy = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
  if (out.status == Status::converged && held_) out.status = Status::restricted;
  out.residual = residual_;
  out.sites = {copy(omega_), copy(eta_)};
  out.field_mean = copy(f_);
  out.field_variance = copy(s_);
  out.cavity_mean = copy(d_);
  out.cavity_variance = copy(v_);
  out.log_evidence = log_evidence();
  if (problem_.groups) leave_groups_out(out.cavity_mean, out.cavity_variance);
  std::vector<double> own = out.cavity_mean;
  for (std::size_t i = 0; i < own.size(); ++i) own[i] *= problem_.labels[i];
  Posterior left;
  leave_out(problem_.activation, own, out.cavity_variance, left);
  out.loo_log_probability = std::move(left.loo_log_probability);
  out.loo_error = left.loo_error;
  out.loo_log_loss = left.loo_log_loss;
  out.weight = copy(b_);
  out.inverse = std::move(w_);
}

}  // namespace

KernelFit fit_kernel_ep(const KernelProblem& problem, const KernelEpOptions& options, ThreadPool& pool) {
  check_problem(problem);
  KernelEp ep(problem, pool);
  KernelFit out;
  if (options.start && !ep.resume(*options.start)) return out;
  double share = 1, last = std::numeric_limits<double>::infinity();
  for (ep.tilt_fields(); out.updates < options.max_updates && ep.residual() >= options.tolerance; ep.tilt_fields()) {
    share = ep.residual() > last ? retreat * share : std::min(growth * share, 1.0);
    last = ep.residual();
    ep.take_sites(share);
    if (!ep.solve()) return out;
    ++out.updates;
  }
  out.status = ep.residual() < options.tolerance ? Status::converged : Status::stalled;
  ep.write(out);
  return out;
}

}  // namespace cavity
