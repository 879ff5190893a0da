#include "classes/several_covariates.hpp"

#include <cmath>

#include "classes/check_classes.hpp"
#include "classes/joining.hpp"
#include "classes/several_loo.hpp"
#include "judge/covariates_alone.hpp"
#include "leave/mean_error.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

struct Losses {
  std::vector<double> wrong, log;
};
Losses losses(const Matrix& probability, const std::vector<std::uint32_t>& classes) {
  Losses out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    out.wrong.push_back(most_probable(probability, mu) == classes[mu] ? 0 : 1);
    out.log.push_back(log_loss(probability(static_cast<Eigen::Index>(mu), classes[mu])));
  }
  return out;
}

Gain gain(const std::vector<double>& first, const std::vector<double>& second, const SampleGroups* groups) {
  std::vector<double> difference;
  Gain out;
  for (std::size_t mu = 0; mu < first.size(); ++mu) {
    difference.push_back(first[mu] - second[mu]);
    out.value += difference.back() / static_cast<double>(first.size());
  }
  out.se = standard_error(difference, groups);
  return out;
}

}  // namespace

CovariatesAlone several_covariates_alone(const FeatureMatrix& encoded, const std::vector<std::uint32_t>& classes,
                                         const Matrix& probability, const std::vector<double>& shift,
                                         const SampleGroups* groups, ThreadPool& pool) {
  Matrix field(probability.rows(), probability.cols());
  for (Eigen::Index k = 0; k < field.cols(); ++k) {
    const auto labels = against_rest(classes, static_cast<std::size_t>(k));
    const auto own = leave_out_covariates(encoded, labels, groups, pool);
    for (std::size_t mu = 0; mu < own.size(); ++mu)
      field(static_cast<Eigen::Index>(mu), k) = joining_field(std::log(own[mu]), labels[mu] > 0);
  }
  Matrix alone = fit_joining(field, classes, pool, groups).probability;
  shift_classes(shift, alone);
  const Losses of_alone = losses(alone, classes), of_fit = losses(probability, classes);
  const Gain error = gain(of_alone.wrong, of_fit.wrong, groups), logs = gain(of_alone.log, of_fit.log, groups);
  CovariatesAlone out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    out.error += of_alone.wrong[mu] / static_cast<double>(classes.size());
    out.log_loss += of_alone.log[mu] / static_cast<double>(classes.size());
  }
  out.error_gain = error.value;
  out.error_gain_se = error.se;
  out.log_loss_gain = logs.value;
  out.log_loss_gain_se = logs.se;
  return out;
}

}  // namespace cavity
