#include "fit/block_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fit/minimise.hpp"
#include "infer/kernel_ep.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

// Of the logarithms of scales: around what the blocks' widths make of them, and of their mean.
constexpr double spread = 4, total = 2;
constexpr double widest = 12;          // of a logarithm: beyond it K has no digits left
constexpr double far_below = -5;       // where a start has all blocks but one
constexpr std::size_t climbed = 2;     // starts, the most promising first
constexpr double jitter = 1e-6;        // of the kernel's diagonal: copies of one sample
constexpr double small_gain = 1e-4;    // of a step in the scales
constexpr double ep_tolerance = 1e-4;  // of what the slopes are taken at

using Vector = Eigen::VectorXd;

Matrix kernel_at(const BlockKernels& kernels, std::span<const std::size_t> which, std::span<const double> log_scales) {
  Matrix out = kernels.level;
  for (std::size_t i = 0; i < which.size(); ++i) out += std::exp(log_scales[i]) * kernels.gram[which[i]];
  out.diagonal() *= 1 + jitter;
  return out;
}

/// d_b = 0.
std::vector<double> by_width(const BlockKernels& kernels, std::span<const std::size_t> which) {
  std::vector<double> out;
  double all = 0;
  for (const std::size_t b : which) all += kernels.features[b];
  for (const std::size_t b : which) out.push_back(std::log(kernels.features[b] / all));
  return out;
}

class ScaleSearch {
 public:
  ScaleSearch(const BlockKernels& kernels, std::span<const std::size_t> which, const BlockLabels& labels,
              ThreadPool& pool)
      : kernels_(kernels), which_(which), labels_(labels), pool_(pool), plain_(by_width(kernels, which)) {}

  /// The most promising starts climb.
  std::vector<double> find(const std::vector<std::vector<double>>& starts, std::size_t climbing) {
    Vector unused;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < starts.size(); ++i) order.emplace_back(cost(as_vector(starts[i]), unused, true), i);
    std::ranges::sort(order);
    double lowest = std::numeric_limits<double>::infinity();
    std::vector<double> best = plain_;
    for (std::size_t i = 0; i < std::min(climbing, order.size()); ++i) {
      const auto objective = [this](const Vector& x, Vector& gradient) { return cost(x, gradient, false); };
      sites_.clear();
      const Vector found = minimise(objective, as_vector(starts[order[i].second]),
                                    Descent{.inverse_curvature = nullptr, .small_gain = small_gain});
      const double value = cost(found, unused, false);
      if (!(value < lowest)) continue;
      lowest = value;
      best.assign(found.begin(), found.end());
    }
    return best;
  }

  const std::vector<double>& plain() const { return plain_; }

 private:
  static Vector as_vector(const std::vector<double>& x) {
    return Vector::Map(x.data(), static_cast<Eigen::Index>(x.size()));
  }

  /// Minus what is climbed, and its slope.
  double cost(const Vector& at, Vector& gradient, bool cold) {
    gradient.setZero(at.size());
    if (at.cwiseAbs().maxCoeff() > widest) return std::numeric_limits<double>::infinity();
    const Matrix kernel = kernel_at(kernels_, which_, {at.data(), which_.size()});
    double value = 0;
    if (cold || sites_.size() != labels_.questions.size()) sites_.assign(labels_.questions.size(), {});
    for (std::size_t q = 0; q < labels_.questions.size(); ++q) {
      KernelEpOptions how{.tolerance = ep_tolerance};
      if (!sites_[q].precision.empty()) how.start = &sites_[q];
      const KernelFit fit =
          fit_kernel_ep({kernel, labels_.questions[q], make_activation(ActivationKind::probit, 1.0)}, how, pool_);
      if (fit.status == Status::diverged || !std::isfinite(fit.log_evidence)) {
        sites_.clear();
        return std::numeric_limits<double>::infinity();
      }
      sites_[q] = fit.sites;
      value -= fit.log_evidence;
      const Vector b = Vector::Map(fit.weight.data(), kernel.rows());
      for (std::size_t i = 0; i < which_.size(); ++i) {
        const Matrix& gram = kernels_.gram[which_[i]];
        const auto k = static_cast<Eigen::Index>(i);
        gradient[k] -= 0.5 * std::exp(at[k]) * (b.dot(gram * b) - fit.inverse.cwiseProduct(gram).sum());
      }
    }
    return value + prior(at, gradient);
  }

  double prior(const Vector& at, Vector& gradient) const {
    const Vector off = at - as_vector(plain_);
    const double mean = off.mean(), blocks = static_cast<double>(off.size());
    const Vector own = off.array() - mean;
    gradient += own / (spread * spread) + Vector::Constant(off.size(), mean / (blocks * total * total));
    return 0.5 * own.squaredNorm() / (spread * spread) + 0.5 * mean * mean / (total * total);
  }

  const BlockKernels& kernels_;
  std::span<const std::size_t> which_;
  const BlockLabels& labels_;
  ThreadPool& pool_;
  std::vector<double> plain_;
  std::vector<KernelSites> sites_{};  // a question, of the last kernel
};

}  // namespace

std::vector<double> find_block_scales(const BlockKernels& kernels, const BlockLabels& labels, ThreadPool& pool) {
  const std::size_t count = kernels.gram.size();
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  ScaleSearch search(kernels, all, labels, pool);
  std::vector<std::vector<double>> starts = {search.plain(), std::vector<double>(count, 0.0)};
  for (std::size_t b = 0; b < count; ++b) {
    starts.emplace_back(count, far_below);
    starts.back()[b] = 1;
  }
  return search.find(starts, climbed);
}

std::vector<double> find_scales_of_some(const BlockKernels& kernels, std::span<const std::size_t> which,
                                        std::span<const double> of_all, const BlockLabels& labels, ThreadPool& pool) {
  ScaleSearch search(kernels, which, labels, pool);
  std::vector<double> own;
  for (const std::size_t b : which) own.push_back(of_all[b]);
  return search.find({own, std::vector<double>(which.size(), 1.0)}, 1);
}

std::vector<std::vector<double>> left_out_by_blocks(const BlockKernels& kernels, std::span<const std::size_t> which,
                                                    std::span<const double> log_scales, const BlockLabels& labels,
                                                    ThreadPool& pool) {
  const Matrix kernel = kernel_at(kernels, which, log_scales);
  std::vector<std::vector<double>> out;
  for (const auto& question : labels.questions) {
    const KernelFit fit = fit_kernel_ep({kernel, question, make_activation(ActivationKind::probit, 1.0), labels.groups},
                                        KernelEpOptions{}, pool);
    if (fit.status == Status::diverged) return {};
    out.emplace_back();
    for (const double log_probability : fit.loo_log_probability) out.back().push_back(std::exp(log_probability));
  }
  return out;
}

std::vector<double> block_factors(const BlockKernels& kernels, std::span<const double> log_scales) {
  const double all = std::accumulate(kernels.features.begin(), kernels.features.end(), 0.0);
  double sum = 0;
  for (const double t : log_scales) sum += std::exp(t);
  std::vector<double> out;
  for (std::size_t b = 0; b < log_scales.size(); ++b)
    out.push_back(std::sqrt(std::exp(log_scales[b]) / sum * all / kernels.features[b]));
  return out;
}

}  // namespace cavity
