#include "search/kernel_ascent.hpp"

#include <algorithm>
#include <cmath>

#include "cavity/fit_options.hpp"
#include "infer/kernel_slope.hpp"

namespace cavity {

namespace {

// Of the running averages of slopes and their squares, and of a step in units of their ratio.
constexpr double slope_memory = 0.7, square_memory = 0.9, rate = 0.3, scale_rate = 0.15, flat = 1e-3;
constexpr double pull = 1;       // rate of the relevances' prior
constexpr double jitter = 1e-6;  // of the kernel's diagonal: copies of one sample

/// Logarithms that climb together, some three tenths a step at most: a way is too short to need bounds.
class Climb {
 public:
  Climb(std::vector<double> at, double how_far)
      : at_(std::move(at)), slope_(at_.size()), square_(at_.size()), rate_(how_far) {}

  void step(std::span<const double> slope) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      slope_[i] = slope_memory * slope_[i] + (1 - slope_memory) * slope[i];
      square_[i] = square_memory * square_[i] + (1 - square_memory) * slope[i] * slope[i];
      at_[i] += rate_ * slope_[i] / (std::sqrt(square_[i]) + flat);
    }
  }
  double value(std::size_t i) const { return std::exp(at_[i]); }

 private:
  std::vector<double> at_, slope_, square_;
  double rate_;
};

std::vector<double> logarithms(std::vector<double> values) {
  for (double& v : values) v = std::log(v);
  return values;
}

}  // namespace

class Ascending {
 public:
  Ascending(const AscentProblem& problem, FeatureKernel start, const AscentOptions& options, ThreadPool& pool)
      : problem_(problem),
        options_(options),
        pool_(pool),
        kernel_(std::move(start)),
        scales_(logarithms({options.bent ? kernel_.scales.bent : 1, kernel_.scales.straight, kernel_.scales.level}),
                scale_rate),
        length_({0}, rate),
        relevance_(options.relevance == Relevance::free ? logarithms(kernel_.relevance) : std::vector<double>(), rate),
        gram_(options.relevance == Relevance::equal
                  ? relevant_gram(problem.design, kernel_.relevance, pool, Precision::rough)
                  : Matrix()),
        level_(problem.covariates.count() > 0 ? level_part(problem.covariates.values, problem.covariates.precision)
                                              : Matrix::Zero(static_cast<Eigen::Index>(problem.labels.size()),
                                                             static_cast<Eigen::Index>(problem.labels.size()))) {
    if (!options.bent) kernel_.scales.bent = 0;
  }

  bool step() {
    const KernelParts parts = make_parts();
    Matrix kernel = parts.at(kernel_.scales);
    kernel.diagonal() *= 1 + jitter;
    KernelEpOptions how{.max_updates = options_.updates, .start = sites_.precision.empty() ? nullptr : &sites_};
    const KernelFit fit = fit_kernel_ep({kernel, problem_.labels, problem_.activation}, how, pool_);
    if (fit.status == Status::diverged || !std::isfinite(fit.log_evidence)) return false;
    sites_ = fit.sites;
    log_evidence_ = fit.log_evidence;
    climb(EvidenceSlope(fit, parts, kernel_.scales));
    return true;
  }

  Ascent end(bool found) {
    for (double& d : kernel_.relevance)
      if (options_.relevance == Relevance::equal) d *= length_.value(0);
    return {found, std::move(kernel_), std::move(sites_), log_evidence_};
  }

 private:
  KernelParts make_parts() const {
    KernelParts out;
    out.straight = options_.relevance == Relevance::equal
                       ? Matrix(length_.value(0) * gram_)
                       : relevant_gram(problem_.design, kernel_.relevance, pool_, Precision::rough);
    out.bent = bent_part(out.straight, pool_);
    out.level = level_;
    return out;
  }

  void climb(const EvidenceSlope& slope) {
    const KernelScales of = slope.of_scales();
    if (options_.relevance == Relevance::free) {
      std::vector<double> of_relevance = slope.of_relevance(problem_.design, pool_, Precision::rough);
      for (std::size_t l = 0; l < of_relevance.size(); ++l)
        of_relevance[l] = (of_relevance[l] - pull) * kernel_.relevance[l];
      relevance_.step(of_relevance);
      for (std::size_t l = 0; l < of_relevance.size(); ++l) kernel_.relevance[l] = relevance_.value(l);
    } else {
      length_.step(std::vector{slope.of_length()});
    }
    scales_.step(std::vector{of.bent, of.straight, of.level});
    kernel_.scales = {options_.bent ? scales_.value(0) : 0, scales_.value(1), scales_.value(2)};
  }

  const AscentProblem& problem_;
  const AscentOptions& options_;
  ThreadPool& pool_;
  FeatureKernel kernel_;
  Climb scales_, length_, relevance_;
  Matrix gram_, level_;  // gram: of the first relevances, where they keep their ratios
  KernelSites sites_;
  double log_evidence_ = 0;
};

Ascent ascend(const AscentProblem& problem, FeatureKernel start, const AscentOptions& options, ThreadPool& pool) {
  Ascending ascending(problem, std::move(start), options, pool);
  bool found = true;
  for (int step = 0; step < options.steps && found; ++step) {
    found = ascending.step();
    if (problem.keep_going && *problem.keep_going && !(*problem.keep_going)()) throw Interrupted();
  }
  return ascending.end(found);
}

}  // namespace cavity
