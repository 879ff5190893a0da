#include "baselines/link_width.hpp"

#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "model/normal.hpp"
#include "model/score.hpp"

namespace cavity {

double fit_link_width(std::span<const double> scores, std::span<const std::int8_t> labels) {
  double square = 0, positive = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    square += scores[i] * scores[i];
    positive += labels[i] > 0;
  }
  if (square == 0) return 1;
  const double count = static_cast<double>(scores.size()), root = std::sqrt(square / count);
  const double sure = (positive + 1) / (positive + 2), sure_negative = (count - positive + 1) / (count - positive + 2);
  const auto loss = [&](double log_width) {
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double score = scores[i] / (root * std::exp(log_width));
      const double target = labels[i] > 0 ? sure : 1 - sure_negative;
      sum += target * log_loss(normal_cdf(score)) + (1 - target) * log_loss(normal_cdf(-score));
    }
    return sum;
  };
  const double reach = std::log(1e3);
  return root * std::exp(boost::math::tools::brent_find_minima(loss, -reach, reach, 30).first);
}

}  // namespace cavity
