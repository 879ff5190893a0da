#include "infer/gibbs_chain.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "infer/polya_gamma.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double noise_free_loss = 690;  // nats an error costs at noise 0: finite, so that a chain can find its way in

StepLoss step_loss(const GibbsModel& model) {
  if (!scale_is_free(model.activation)) return {0, 0};
  const double flip = std::get<ThresholdActivation>(model.activation).flip;
  const double right = std::log1p(-flip);
  const double wrong = flip > 0 ? right - std::log(flip) : noise_free_loss;
  return {model.power * wrong, model.power * (right + std::numbers::ln2)};
}

Eigen::Map<Eigen::VectorXd> as_vector(std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

}  // namespace

GibbsChain::GibbsChain(const GibbsModel& model, std::span<const std::int8_t> labels, Random random)
    : model_(model),
      labels_(labels),
      random_(random),
      loss_(step_loss(model)),
      step_(labels, loss_),
      is_step_(scale_is_free(model.activation)),
      weight_(static_cast<std::size_t>(model.columns.cols())),
      inclusion_(model.features) {
  for (auto* v : {&field_, &rest_, &proposal_, &site_precision_, &site_linear_}) v->resize(model.samples());
  draw_prior();
}

void GibbsChain::set_labels(std::span<const std::int8_t> labels) {
  labels_ = labels;
  step_.set_labels(labels);
}

void GibbsChain::draw_prior() {
  const double kept = 1 / (1 + std::exp(-slab_log_odds(model_.prior))), slab = 1 / std::sqrt(model_.prior.precision);
  kept_ = 0;
  for (std::size_t l = 0; l < model_.features; ++l) {
    inclusion_[l] = kept;
    const bool in = random_.bernoulli(kept);
    weight_[l] = in ? slab * random_.normal() : 0;
    kept_ += in;
  }
  for (std::size_t j = model_.features; j < weight_.size(); ++j)
    weight_[j] = random_.normal() / std::sqrt(model_.covariate_precision[j - model_.features]);
  recompute_fields();
}

void GibbsChain::recompute_fields() {
  as_vector(field_).setZero();
  for (std::size_t j = 0; j < weight_.size(); ++j)
    if (weight_[j] != 0) as_vector(field_) += weight_[j] * model_.columns.col(static_cast<Eigen::Index>(j));
}

void GibbsChain::sweep() {
  recompute_fields();  // rounding must not pile up
  if (!is_step_) augment();
  for (std::size_t j = 0; j < weight_.size(); ++j) update(j);
  swap_features();
  if (is_step_) redraw_length();
}

void GibbsChain::augment() {
  if (const auto* threshold = std::get_if<ThresholdActivation>(&model_.activation))
    augment_threshold(*threshold);
  else
    augment_logistic(std::get<LogisticActivation>(model_.activation).width);
}

// f(u) = (1 - flip) Phi(u/width) + flip Phi(-u/width): first whether the label is flipped, then the field plus noise on
// the side of the label as it was before.
void GibbsChain::augment_threshold(const ThresholdActivation& f) {
  const double precision = 1 / (f.width * f.width);
  for (std::size_t mu = 0; mu < field_.size(); ++mu) {
    double y = labels_[mu];
    if (f.flip > 0 && random_.uniform() * f.likelihood(y * field_[mu]) < f.flip * normal_cdf(-y * field_[mu] / f.width))
      y = -y;
    const double u = y * field_[mu];
    site_precision_[mu] = precision;
    site_linear_[mu] = y * precision * (u + f.width * random_.normal_above(-u / f.width));
  }
}

void GibbsChain::augment_logistic(double width) {
  const double precision = 1 / (width * width);
  for (std::size_t mu = 0; mu < field_.size(); ++mu) {
    const double y = labels_[mu], u = y * field_[mu];
    site_precision_[mu] = precision * polya_gamma(u / width, random_);
    site_linear_[mu] = 0.5 * y / width;
  }
}

// Whether every field is 0 without coordinate j: then it is exactly 0, whatever rounding left behind.
bool GibbsChain::alone(std::size_t j) const {
  return weight_.size() == model_.features && kept_ == (weight_[j] != 0 ? 1U : 0U);
}

void GibbsChain::update(std::size_t j) {
  const bool feature = j < model_.features;
  const auto column = model_.columns.col(static_cast<Eigen::Index>(j));
  if (alone(j))
    as_vector(rest_).setZero();
  else
    as_vector(rest_) = as_vector(field_) - weight_[j] * column;
  const Coordinate coordinate{model_.column(j), rest_,
                              feature ? model_.prior.precision : model_.covariate_precision[j - model_.features],
                              feature ? slab_log_odds(model_.prior) : infinity};
  const CoordinateDraw draw = is_step_ ? step_.draw(coordinate, random_) : draw_gaussian(coordinate);
  if (feature) {
    inclusion_[j] = draw.inclusion;
    kept_ += (draw.weight != 0 ? 1 : 0) - (weight_[j] != 0 ? 1 : 0);
  }
  weight_[j] = draw.weight;
  as_vector(field_) = as_vector(rest_) + draw.weight * column;
}

CoordinateDraw GibbsChain::draw_gaussian(const Coordinate& coordinate) {
  double total = coordinate.precision, h = 0;
  for (std::size_t mu = 0; mu < field_.size(); ++mu) {
    const double x = coordinate.column[mu];
    total += x * x * site_precision_[mu];
    h += x * (site_linear_[mu] - site_precision_[mu] * coordinate.rest[mu]);
  }
  double inclusion = 1;
  if (coordinate.log_odds < infinity)
    inclusion = pruned_moments(h, total, coordinate.log_odds + 0.5 * std::log(coordinate.precision)).inclusion;
  if (inclusion < 1 && random_.uniform() >= inclusion) return {0, inclusion};
  return {h / total + random_.normal() / std::sqrt(total), inclusion};
}

// The log likelihood that the chain targets, up to a constant.
double GibbsChain::target(std::span<const double> fields) const {
  double sum = 0;
  if (is_step_) {
    for (std::size_t mu = 0; mu < fields.size(); ++mu) {
      const double u = labels_[mu] * fields[mu];
      sum -= u > 0 ? 0 : (u < 0 ? loss_.wrong : loss_.tie);
    }
    return sum;
  }
  for (std::size_t mu = 0; mu < fields.size(); ++mu)
    sum += cavity::log_likelihood(model_.activation, labels_[mu] * fields[mu]);
  return sum;
}

void GibbsChain::log_likelihood(std::span<double> out) const {
  for (std::size_t mu = 0; mu < field_.size(); ++mu)
    out[mu] = cavity::log_likelihood(model_.activation, labels_[mu] * field_[mu]);
}

// The signs of the fields do not depend on the common length of all weights: given their direction, it has its prior's
// chi distribution. Coordinate updates alone change it slowly.
void GibbsChain::redraw_length() {
  double old_square = 0, new_square = 0;
  for (std::size_t j = 0; j < weight_.size(); ++j) {
    if (weight_[j] == 0) continue;
    const bool feature = j < model_.features;
    old_square +=
        weight_[j] * weight_[j] * (feature ? model_.prior.precision : model_.covariate_precision[j - model_.features]);
    const double z = random_.normal();
    new_square += z * z;
  }
  if (!(old_square > 0)) return;
  const double scale = std::sqrt(new_square / old_square);
  for (auto& w : weight_) w *= scale;
  for (auto& u : field_) u *= scale;
}

// As many attempts as features. The pair is drawn uniformly among (kept, pruned), whose numbers a swap does not change,
// and the sign follows the correlation of the two: a symmetric proposal between states of equal prior.
void GibbsChain::swap_features() {
  if (kept_ == 0 || kept_ == model_.features) return;
  std::vector<std::size_t> kept, pruned;
  for (std::size_t l = 0; l < model_.features; ++l) (weight_[l] != 0 ? kept : pruned).push_back(l);
  double now = target(field_);
  for (std::size_t attempt = 0; attempt < model_.features; ++attempt) {
    std::size_t& from = kept[random_.below(kept.size())];
    std::size_t& to = pruned[random_.below(pruned.size())];
    const auto old_column = model_.columns.col(static_cast<Eigen::Index>(from));
    const auto new_column = model_.columns.col(static_cast<Eigen::Index>(to));
    const double weight = old_column.dot(new_column) < 0 ? -weight_[from] : weight_[from];
    if (alone(from))
      as_vector(proposal_) = weight * new_column;
    else
      as_vector(proposal_) = as_vector(field_) - weight_[from] * old_column + weight * new_column;
    const double then = target(proposal_);
    if (std::log(random_.uniform()) >= then - now) continue;
    weight_[from] = 0;
    weight_[to] = weight;
    std::swap(field_, proposal_);
    std::swap(from, to);
    now = then;
  }
}

}  // namespace cavity
