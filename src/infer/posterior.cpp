#include "infer/posterior.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "model/score.hpp"

namespace cavity {

std::string to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::restricted:
      return "restricted";
    case Status::stalled:
      return "stalled";
    case Status::not_mixed:
      return "not mixed";
    case Status::diverged:
      return "diverged";
    case Status::not_visited:
      return "not visited";
  }
  throw std::logic_error("status");
}

void leave_one_out(const AnyActivation& activation, Posterior& posterior) {
  leave_out(activation, posterior.cavity_mean, posterior.cavity_variance, posterior);
}

void leave_out(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
               Posterior& posterior) {
  const std::size_t samples = mean.size();
  posterior.loo_log_probability.resize(samples);
  log_averages(activation, mean, variance, posterior.loo_log_probability);
  // g >= 1/2 exactly when D >= 0 (f(u) + f(-u) = 1).
  posterior.loo_error = sign_error(mean);
  posterior.loo_log_loss =
      -std::accumulate(posterior.loo_log_probability.begin(), posterior.loo_log_probability.end(), 0.0) /
      static_cast<double>(samples);
}

void left_out(std::vector<double> log_probability, Posterior& posterior) {
  const auto samples = static_cast<double>(log_probability.size());
  posterior.loo_error = posterior.loo_log_loss = 0;
  for (const double own : log_probability) {
    posterior.loo_error += wrong_label(std::exp(own)) / samples;
    posterior.loo_log_loss -= own / samples;
  }
  posterior.loo_log_probability = std::move(log_probability);
}

double sign_error(std::span<const double> fields) {
  double wrong = 0;
  for (const double field : fields) wrong += wrong_sign(field);
  return wrong / static_cast<double>(fields.size());
}

}  // namespace cavity
