#include "select/loo_estimate.hpp"

#include <cmath>

#include "model/score.hpp"
#include "choose/recalibrate.hpp"

namespace cavity {

LooEstimate loo_estimate(std::span<const double> own, std::vector<double> positive, std::vector<bool> reliable) {
  LooEstimate out;
  out.probability = std::move(positive);
  out.reliable = std::move(reliable);
  const auto m = static_cast<double>(own.size());
  for (const double p : own) {
    out.error += wrong_label(p);
    out.log_loss += log_loss(p);
  }
  out.error /= m;
  out.error_se = std::sqrt(out.error * (1 - out.error) / m);
  out.log_loss /= m;
  return out;
}

LooEstimate loo_estimate(const Choice& choice, std::span<const std::int8_t> labels,
                         const std::optional<Recalibration>& recalibration) {
  std::vector<double> own, positive;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    const double p = std::exp(choice.loo_log_probability[mu]);
    own.push_back(recalibration ? recalibrated(*recalibration, p) : p);
    positive.push_back(labels[mu] > 0 ? own.back() : 1 - own.back());
  }
  return loo_estimate(own, std::move(positive), choice.loo_reliable);
}

}  // namespace cavity
