#include "fit/minimise.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <vector>

namespace cavity {

namespace {

constexpr int most_steps = 500, most_halvings = 40;
constexpr std::size_t memory = 10;
constexpr double small_gradient = 1e-6, sufficient = 1e-4;

struct Pair {
  Eigen::VectorXd step, change;  // of the point and of the gradient
  double curvature;              // their product
};

Eigen::VectorXd direction(const Eigen::VectorXd& gradient, const std::deque<Pair>& pairs,
                          const Eigen::MatrixXd* inverse_curvature) {
  Eigen::VectorXd q = -gradient;
  std::vector<double> share(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    share[i] = pairs[i].step.dot(q) / pairs[i].curvature;
    q -= share[i] * pairs[i].change;
  }
  if (inverse_curvature)
    q = *inverse_curvature * q;
  else if (!pairs.empty())
    q *= pairs.back().curvature / pairs.back().change.squaredNorm();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    q += (share[i] - pairs[i].change.dot(q) / pairs[i].curvature) * pairs[i].step;
  return q;
}

}  // namespace

Eigen::VectorXd minimise(const Objective& objective, Eigen::VectorXd x, const Descent& how) {
  Eigen::VectorXd gradient(x.size()), next_gradient(x.size());
  double value = objective(x, gradient);
  std::deque<Pair> pairs;
  for (int step = 0; step < most_steps && gradient.lpNorm<Eigen::Infinity>() > small_gradient; ++step) {
    Eigen::VectorXd towards = direction(gradient, pairs, how.inverse_curvature);
    double slope = towards.dot(gradient);
    if (!(slope < 0)) {
      pairs.clear();
      towards = -gradient;
      slope = -gradient.squaredNorm();
    }
    const bool scaled = how.inverse_curvature || !pairs.empty();
    double length = scaled ? 1 : std::min(1.0, 1 / gradient.norm()), next = 0;
    Eigen::VectorXd point;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, length /= 2) {
      point = x + length * towards;
      next = objective(point, next_gradient);
      if (next <= value + sufficient * length * slope) break;
    }
    if (halvings == most_halvings) break;
    Pair pair{point - x, next_gradient - gradient, 0};
    pair.curvature = pair.step.dot(pair.change);
    if (pair.curvature > std::numeric_limits<double>::epsilon() * pair.change.squaredNorm()) pairs.push_back(pair);
    if (pairs.size() > memory) pairs.pop_front();
    const double gain = value - next;
    x = point;
    value = next;
    gradient = next_gradient;
    if (gain <= how.small_gain * (std::abs(value) + 1)) break;
  }
  return x;
}

}  // namespace cavity
