#include "fit/softmax.hpp"

#include <cmath>

namespace cavity {

Matrix log_softmax(Matrix scores) {
  for (Eigen::Index mu = 0; mu < scores.rows(); ++mu) {
    const double top = scores.row(mu).maxCoeff();
    scores.row(mu).array() -= top + std::log((scores.row(mu).array() - top).exp().sum());
  }
  return scores;
}

Matrix floored_softmax(const Matrix& scores, double floor) {
  const double even = floor / static_cast<double>(scores.cols());
  return even + (1 - floor) * log_softmax(scores).array().exp();
}

}  // namespace cavity
