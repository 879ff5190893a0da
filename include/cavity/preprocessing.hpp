// What happens to a table before inference, fitted on the training rows and remembered for new data:
//   1. missing values -> the feature's training mean            4. constant features dropped
//   2. transform of the values (none, asinh, within-sample ranks)  5. rows scaled to |x| = sqrt(kept features)
//   3. centre, optionally unit variance                         6. optionally whitened to principal directions
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

enum class Transform { none, asinh, rank };
std::string to_string(Transform transform);

struct PreprocessingOptions {
  enum class Choice { automatic, none, asinh, rank } transform = Choice::automatic;
  bool unit_variance = true;
  bool whiten = false;
};

/// A fitted covariate column: numeric (centred, unit variance) or one category of a text column.
struct CovariateEncoding {
  std::string name;      // of the column; with a category: "sex"
  std::string category;  // empty for a number
  double centre = 0, scale = 1;
};

struct Preprocessing {
  Transform transform = Transform::none;
  std::vector<std::string> feature_names;  // all of them, in the order of the training file
  std::vector<std::uint32_t> kept;         // positions of the features that take part in inference
  std::vector<double> impute;              // a feature (all): training mean of the raw values
  std::vector<double> centre, scale;       // a kept feature, of the transformed values; x = (value - centre) * scale
  std::vector<CovariateEncoding> covariates;
  bool unit_variance = true;
  // Whitening: principal directions of the scaled training rows; empty when not asked for.
  std::size_t directions = 0;
  std::vector<float> whitening;  // kept x directions, row-major: whitened = scaled row * whitening

  std::size_t inputs() const { return directions > 0 ? directions : kept.size(); }  // features that inference sees
};

}  // namespace cavity
