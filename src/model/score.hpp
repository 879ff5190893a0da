// How a prediction is judged, wherever one is: the share of wrong labels, a tie counting one half, and the log loss.
#pragma once

#include <algorithm>
#include <cmath>

namespace cavity {

/// A probability that rounds to 0 counts as this one (691 nats), so that one sample cannot make a log loss infinite.
inline constexpr double least_probability = 1e-300;

/// `field` is positive where it speaks for the sample's own label.
inline double wrong_sign(double field) { return field < 0 ? 1 : (field == 0 ? 0.5 : 0); }

/// `own` is the probability of the sample's own label.
inline double wrong_label(double own) { return wrong_sign(own - 0.5); }
inline double log_loss(double own) { return -std::log(std::max(own, least_probability)); }

}  // namespace cavity
