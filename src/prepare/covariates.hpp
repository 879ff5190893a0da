// Always-kept columns (age, sex, ...) from text to numbers. A column whose values are all numbers is centred and
// brought to unit variance; any other becomes one 0/1 column a category, centred at the category's share, the first
// category in sorted order left out as the reference. A missing value takes the training mean of its encoded columns,
// which is 0.
#pragma once

#include <string>
#include <vector>

#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

inline constexpr std::size_t most_categories = 20;

struct EncodedCovariates {
  std::vector<CovariateEncoding> encodings;
  FeatureMatrix values;            // samples x encodings
  std::vector<std::string> notes;  // constant covariates dropped, missing values
};

/// Throws InputError for more than 20 categories and for infinite numbers.
EncodedCovariates encode_covariates(const std::vector<CovariateColumn>& columns, std::size_t samples);

/// New data, columns found by name. Throws InputError for a column that is not there, text where training had numbers,
/// and a category that training did not have.
FeatureMatrix apply_covariates(const std::vector<CovariateEncoding>& encodings,
                               const std::vector<CovariateColumn>& columns, std::size_t samples);

}  // namespace cavity
