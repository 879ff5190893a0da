#include "infer/step_conditional.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A point with the smaller of its two tail probabilities, so that differences keep their digits on either side.
struct Cut {
  double place, tail;
  explicit Cut(double x) : place(x), tail(normal_cdf(-std::abs(x))) {}
};

double mass_between(const Cut& a, const Cut& b) {
  if (b.place <= 0) return b.tail - a.tail;
  if (a.place >= 0) return a.tail - b.tail;
  return 1 - a.tail - b.tail;
}

// Standard normal between a and b by inversion, from the side where the tail is small.
double normal_between(double a, double b, Random& random) {
  if (a >= 0 && b > 0) return -normal_between(-b, -a, random);
  const double low = normal_cdf(a), high = normal_cdf(b);
  const double p = low + random.uniform() * (high - low);
  if (p <= 0 || p >= 1) return std::clamp(0.0, a, b);
  return std::clamp(normal_quantile(p), a, b);
}

}  // namespace

StepConditional::StepConditional(std::span<const std::int8_t> labels, StepLoss loss)
    : labels_(labels), loss_(loss), price_(labels.size() + 1) {
  for (std::size_t k = 0; k < price_.size(); ++k) price_[k] = std::exp(-loss.wrong * static_cast<double>(k));
}

int StepConditional::find_crossings(const Coordinate& coordinate) {
  const double root = std::sqrt(coordinate.precision);
  int wrong = 0;
  crossings_.clear();
  for (std::size_t mu = 0; mu < labels_.size(); ++mu) {
    const double x = coordinate.column[mu], place = -coordinate.rest[mu] / x * root;
    if (x == 0 || std::isnan(place)) continue;  // where the numbers have left their range, none can be sorted
    const bool rises = labels_[mu] * x > 0;
    wrong += rises;
    crossings_.push_back({place, rises ? -1 : 1});
  }
  std::sort(crossings_.begin(), crossings_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  return wrong;
}

int StepConditional::cut(int wrong) {
  pieces_.clear();
  int fewest = std::numeric_limits<int>::max();
  Cut left(-infinity);
  const auto close = [&](const Cut& right) {
    const double mass = mass_between(left, right);
    if (mass > 0) {
      pieces_.push_back({left.place, right.place, mass, wrong});
      fewest = std::min(fewest, wrong);
    }
    left = right;
  };
  for (const Crossing& crossing : crossings_) {
    close(Cut(crossing.place));
    wrong += crossing.change;
  }
  close(Cut(infinity));
  return fewest;
}

// Only the samples that the coordinate moves: the others cost the same with any weight.
double StepConditional::spike_loss(const Coordinate& coordinate) const {
  double loss = 0;
  for (std::size_t mu = 0; mu < labels_.size(); ++mu) {
    if (coordinate.column[mu] == 0) continue;
    const double field = labels_[mu] * coordinate.rest[mu];
    loss += field > 0 ? 0 : (field < 0 ? loss_.wrong : loss_.tie);
  }
  return loss;
}

CoordinateDraw StepConditional::draw(const Coordinate& coordinate, Random& random) {
  const int fewest = cut(find_crossings(coordinate));
  if (pieces_.empty()) return {0, 0};  // crossings at both infinities leave no weight
  double slab = 0;
  for (Piece& piece : pieces_) {
    piece.mass *= price_[static_cast<std::size_t>(piece.wrong - fewest)];
    slab += piece.mass;
  }
  double inclusion = 1;
  if (coordinate.log_odds < infinity) {
    const double log_spike = fewest * loss_.wrong - spike_loss(coordinate) - coordinate.log_odds;
    inclusion = 1 / (1 + std::exp(log_spike) / slab);
  }
  if (inclusion < 1 && random.uniform() >= inclusion) return {0, inclusion};
  double level = random.uniform() * slab;
  const Piece* chosen = &pieces_.back();
  for (const Piece& piece : pieces_) {
    level -= piece.mass;
    if (level < 0) {
      chosen = &piece;
      break;
    }
  }
  return {normal_between(chosen->left, chosen->right, random) / std::sqrt(coordinate.precision), inclusion};
}

}  // namespace cavity
