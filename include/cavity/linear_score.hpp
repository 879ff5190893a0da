// A classifier as one weighted sum, for a spreadsheet.
#pragma once

#include <string>
#include <vector>

#include "cavity/fit.hpp"

namespace cavity {

/// score = intercept + sum of weight * value over features and covariates (a category's value is 1 or 0); above 0 the
/// sample is called positive. Values are the file's, or ln(1 + value) where `transform` says so; one that is missing
/// takes `mean`, before its median is taken off where `transform` is feature_asinh: then a feature's value counts as
/// asinh((value - median)/spread).
struct LinearScore {
  struct Term {
    std::string name;
    double weight = 0, mean = 0;
    double median = 0, spread = 1;
  };
  double intercept = 0;
  Transform transform = Transform::none;   // none, log1p or feature_asinh; of features, not of covariates
  std::vector<Term> covariates, features;  // features without weight are left out
};

/// UsageError that says why where there is none: values that are ranks, scaled within a sample, or rows of one length.
LinearScore linear_score(const Model& model);

/// How close the score comes to the classifier, which also weighs how sure it is of every weight.
struct ScoreAgreement {
  double equal_labels = 0;  // share of samples
  double correlation = 0;   // of their ranks, score and probability
};
ScoreAgreement score_agreement(const LinearScore& score, const Model& model, Dataset data, unsigned threads = 0);

}  // namespace cavity
