// What happens to a table before inference, fitted on the training rows and remembered for new data:
//   1. missing values -> the feature's training mean               4. centre, optionally unit variance
//   2. transform of the values (by sample, feature or value)  5. optionally whitened to principal directions
//   3. constant features dropped                                   6. rows scaled to |x| = sqrt(inputs), or their mean
//   square
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

/// None of them but the last looks at another sample.
///   asinh: asinh((value - median) / spread), median and spread (1.4826 median absolute deviation) over the sample's
///          own features
///   rank:  Phi^-1((rank - 1/2) / features), rank of the value among the sample's own features, ties averaged
///   log1p: ln(1 + value), for counts; sparse data stay sparse
///   feature_asinh: asinh((value - median)/spread), both over the training samples of the feature: it needs no other
enum class Transform { none, asinh, rank, log1p, feature_asinh };
std::string to_string(Transform transform);

struct PreprocessingOptions {
  /// automatic: rank for many measurements of one kind on a raw or heavy-tailed scale, log1p for sparse counts, else
  /// none (prepare/transform.hpp).
  enum class Choice { automatic, none, asinh, rank, log1p, feature_asinh } transform = Choice::automatic;
  /// Features brought to unit variance. Not said: yes, but not those of a sparse table, whose rare columns would drown
  /// the others.
  std::optional<bool> unit_variance{};
  bool whiten = false;
  bool centre = true;  // false: the values are taken as centred already
  // Genotypes: variants whose rarer allele is rarer, or that lack more of their calls, are left out.
  double least_frequency = 0, most_missing = 1;
  /// Every row to |x| = sqrt(inputs), as amp and bp assume and as documents of different lengths need it; otherwise
  /// only their mean square, so that the length of a row still says something. Not said: where the solver or the table
  /// need it.
  std::optional<bool> equal_rows{};
};

/// "auto", "none", "asinh", "rank", "log1p", "feature_asinh"; UsageError for another name.
PreprocessingOptions::Choice parse_transform(const std::string& name);
std::string to_string(PreprocessingOptions::Choice transform);
std::vector<std::string> transform_names();

/// One encoded column, (value - centre) * scale: a number (centred, unit variance), or a category of a text column
/// (value 1 in that category, else 0; centred at its training share). A missing value takes the training mean: 0.
struct CovariateEncoding {
  std::string name;       // of the covariate in the file: "sex"
  std::string category;   // empty for a number
  std::string reference;  // the category with no column of its own; empty for a number
  double centre = 0, scale = 1;
};

/// What is done to the features of one table of several, by themselves.
struct BlockPreparation {
  std::string name;
  std::uint32_t features = 0;  // of all: they follow those of the block before
  Transform transform = Transform::none;
  double factor = 1;  // on its features, in `scale`: the root of what their prior variance is more than the average's
};

struct Preprocessing {
  Transform transform = Transform::none;
  std::vector<std::string> feature_names;  // all of them, in the order of the training file
  std::vector<std::uint32_t> kept;         // positions of the features that take part in inference
  std::vector<double> impute;  // a feature (all): training mean before a transform of whole samples; all missing: 0
  std::vector<double> centre, scale;   // a kept feature, of the transformed values; x = (value - centre) * scale
  std::vector<double> median, spread;  // a kept feature, of Transform::feature_asinh; else empty
  std::vector<CovariateEncoding> covariates;
  bool unit_variance = true;
  // Whitening: principal directions of the scaled training rows; empty when not asked for.
  std::size_t directions = 0;
  std::vector<float> whitening;            // kept x directions, row-major: whitened = scaled row * whitening
  std::vector<BlockPreparation> blocks{};  // in order; empty: one table
  double row_scale = 0;                    // of every row; 0: each row is brought to length sqrt(inputs) by its own

  std::size_t inputs() const { return directions > 0 ? directions : kept.size(); }  // features that inference sees
};

}  // namespace cavity
