#include "infer/place_visits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/log_sum.hpp"
#include "model/normal_kernels.hpp"

namespace cavity {

namespace {

constexpr double most_surprising = -600;  // ln of a likelihood: its inverse is a number
constexpr std::size_t sets_told = 64;
constexpr int likelihood_draws =
    4;  // each the mean of several particles (place_weights.hpp); of one evidence is off by a nat

PlaceVisits::Sets join(std::span<const PlaceVisits> chains, std::size_t first, std::size_t step) {
  PlaceVisits::Sets out;
  for (std::size_t k = first; k < chains.size(); k += step)
    for (const auto& [places, times] : chains[k].sets()) out[places] += times;
  return out;
}

std::vector<PlaceSetKey> most_visited(const PlaceVisits::Sets& sets) {
  std::vector<std::pair<PlaceSetKey, std::size_t>> ranked(sets.begin(), sets.end());
  std::ranges::stable_sort(ranked, std::greater{}, [](const auto& set) { return set.second; });
  std::vector<PlaceSetKey> out;
  for (std::size_t k = 0; k < std::min(sets_told, ranked.size()); ++k) out.push_back(std::move(ranked[k].first));
  return out;
}

double log_likelihood(const PlaceModel& model, const PlaceColumns& columns, const PlaceSetKey& places, Random& random) {
  const WeightFit fit = fit_places(model, columns, places);
  std::vector<double> drawn;
  for (int i = 0; i < likelihood_draws; ++i) drawn.push_back(draw_weights(model, fit, nullptr, random).log_likelihood);
  return log_sum(drawn) - std::log(likelihood_draws);
}

}  // namespace

PlaceVisits::PlaceVisits(const PlaceModel& model, const SampleGroups* groups)
    : model_(&model), margin_(model.samples()), log_own_(model.samples()) {
  part_.resize(model.samples());
  std::iota(part_.begin(), part_.end(), 0);
  if (groups) part_ = groups->of;
  const Eigen::Index rows = at(model.rows.count()), samples = at(model.samples()),
                     parts = groups ? at(groups->count()) : samples;
  share_ = share_square_ = Eigen::VectorXd::Zero(rows);
  own_ = Eigen::MatrixXd::Zero(samples, rows);
  without_ = without_square_ = Eigen::MatrixXd::Zero(parts, rows);
  log_part_.resize(parts);
}

void PlaceVisits::add(const PlaceSetKey& places, const Eigen::VectorXd& field) {
  ++sets_[places];
  for (std::size_t mu = 0; mu < margin_.size(); ++mu) margin_[mu] = model_->labels[mu] * field[at(mu)];
  kernels::log_normal_cdf(model_->flip, margin_, log_own_);
  log_part_.setZero();
  for (std::size_t mu = 0; mu < part_.size(); ++mu) log_part_[at(part_[mu])] += log_own_[mu];
  const Eigen::ArrayXd weight = (-log_part_.max(most_surprising)).exp();
  Eigen::ArrayXd own(own_.rows());
  for (std::size_t mu = 0; mu < part_.size(); ++mu)
    own[at(mu)] = std::exp(std::max(log_own_[mu], most_surprising)) * weight[at(part_[mu])];
  for (std::size_t row = 0; row < model_->rows.count(); ++row) {
    const double share = model_->rows.share(row, places.size());
    share_[at(row)] += share;
    share_square_[at(row)] += share * share;
    own_.col(at(row)).array() += share * own;
    without_.col(at(row)).array() += share * weight;
    without_square_.col(at(row)).array() += (share * weight).square();
  }
}

void PlaceVisits::add(const PlaceVisits& others) {
  for (const auto& [places, times] : others.sets_) sets_[places] += times;
  share_ += others.share_;
  share_square_ += others.share_square_;
  own_ += others.own_;
  without_ += others.without_;
  without_square_ += others.without_square_;
}

std::vector<double> PlaceVisits::left_out(std::size_t row) const {
  std::vector<double> out;
  for (std::size_t mu = 0; mu < part_.size(); ++mu)
    out.push_back(std::log(own_(at(mu), at(row)) / without_(at(part_[mu]), at(row))));
  return out;
}

double PlaceVisits::least_left(std::size_t row) const {
  const Eigen::ArrayXd effective = without_.col(at(row)).array().square() / without_square_.col(at(row)).array();
  return effective.minCoeff() * share_square_[at(row)] / (share_[at(row)] * share_[at(row)]);
}

double log_evidence(const PlaceModel& model, std::span<const PlaceVisits> chains, Random random) {
  const PlaceColumns columns(model.design);
  const std::size_t halves = std::min<std::size_t>(2, chains.size());
  std::vector<double> log_mass;
  double visited = 0;  // probability of the sets, summed over the halves
  for (std::size_t half = 0; half < halves; ++half) {
    const PlaceVisits::Sets told = join(chains, (half + 1) % halves, halves), others = join(chains, half, halves);
    double in = 0, all = 0;
    for (const auto& [places, times] : others) all += static_cast<double>(times);
    for (const PlaceSetKey& places : most_visited(told)) {
      log_mass.push_back(model.rows.log_prior(places.size()) + log_likelihood(model, columns, places, random));
      if (const auto found = others.find(places); found != others.end()) in += static_cast<double>(found->second);
    }
    visited += in / all;
  }
  return visited > 0 ? log_sum(log_mass) - std::log(visited) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace cavity
