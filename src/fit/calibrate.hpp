// From what the questions' mixtures say to probabilities of classes. One question is recalibrated by a slope and a
// floor; several are joined by a softmax of their fields and mixed with a fit of all classes at once. What is said of
// samples left out has not seen the sample.
#pragma once

#include <optional>
#include <vector>

#include "base/matrix.hpp"
#include "fit/answer.hpp"

namespace cavity {

struct Calibrated {
  Calibration model;
  Matrix left_out;                  // samples x classes: by mixtures and calibrations that have not seen the sample
  std::optional<Matrix> flattered;  // by those that have: of one question whose cells are mixed
};
Calibrated calibrate(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                     ThreadPool& pool);

/// The same from any probabilities of each sample's own side, a question, by what has not seen the sample.
Matrix join_left_out(const FitTable& table, const std::vector<std::vector<double>>& own_side,
                     const std::vector<double>& class_shift, ThreadPool& pool);

/// Samples x classes, from samples x questions: the probability of each question's class. `together` is what the fit of
/// all classes at once says, where it has a share; `covariates`, encoded, speak where no feature may matter.
Matrix class_probabilities(const Calibration& calibration, const Matrix& of_questions,
                           const std::optional<Matrix>& together = {}, const FeatureMatrix& covariates = {});

}  // namespace cavity
