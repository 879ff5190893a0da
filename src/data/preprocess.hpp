// From a table to what inference sees. Everything is fitted on the rows given to prepare() and remembered in a
// Preprocessing, so that apply() does the same to new rows. Both work inside the matrix they are given: the peak is
// that matrix and a few vectors of one entry a feature (whitening adds its own matrix, kept features x directions).
// A borrowed matrix is copied only when something has to be written: a transform, an imputed value, a dropped feature.
// A table in its file's own form stays so, unless a transform or whitening is asked for.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/shards.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"
#include "design/design.hpp"

namespace cavity {
struct Model;
}  // namespace cavity

namespace cavity::data {

/// Samples as inference sees them, x_mu,l = row_scale_mu scale_l (values_mu,l - centre_l), |x_mu|^2 = inputs. Centre
/// and scale are left to the design; after whitening they are 0 and 1.
struct Inputs {
  FeatureMatrix values;                         // samples x inputs; none where the table stays in its own form:
  std::shared_ptr<const CompactTable> compact;  // that table,
  std::vector<std::uint32_t> columns;           // and its columns, one an input
  std::vector<double> centre, scale;            // an input
  std::vector<double> row_scale;                // a sample; 1 where the scaled row is zero
  FeatureMatrix covariates;                     // samples x encoded columns, without an intercept
  std::vector<std::string> notes;               // what was done
  std::size_t missing = 0;                      // values replaced by their feature's mean

  std::size_t samples() const { return row_scale.size(); }
  std::size_t inputs() const { return centre.size(); }
};

/// The design refers to the values of `inputs`, which must stay alive and in place. With several processes, this one's
/// part of it.
std::unique_ptr<const Design> make_design(const Inputs& inputs, const Shards& shards = Shards::whole());

/// Bytes that the features of this process take.
std::size_t feature_bytes(const Inputs& inputs, const Shards& shards = Shards::whole());

/// samples x inputs, whatever the form of the table; a missing value is its centre.
FeatureMatrix dense_values(const Inputs& inputs, const Shards& shards = Shards::whole());

struct Prepared : Inputs {
  Preprocessing preprocessing;  // its transform is the chosen one
  std::size_t constant = 0;     // features dropped, those without any value included
  std::size_t filtered = 0;     // genotypes: variants dropped by frequency or missing calls
};

using Applied = Inputs;

/// A dense matrix in the place of a table in its own form. InputError when that is beyond memory.
void make_dense(Dataset& data);

/// Fits on all rows of `data`; takes its features, feature names and covariates, and leaves labels, sample names and
/// notes. Constant features (all values equal, or deviating by at most 1e-6 of their size, before or after the
/// transform) are dropped. Throws InputError when none is left, or when a value is infinite.
/// Of several processes each reads its own columns of a table in its file's own form; what is fitted is the same in
/// all.
Prepared prepare(Dataset&& data, const PreprocessingOptions& options, ThreadPool& pool,
                 const Shards& shards = Shards::whole());

/// The same for new rows. Features and covariates are matched by name: their order does not matter, unknown ones are
/// ignored, and one that is missing is an InputError, except that a feature which training dropped takes its training
/// mean, and that an absent f<index> of an svmlight file is 0.
Applied apply(const Preprocessing& preprocessing, Dataset&& data, ThreadPool& pool);

/// Weights of the inputs -> weights per unit of the transformed feature, for all features (0 for the dropped ones),
/// such that for a row of that row scale  x . mean / sqrt(inputs) = sum_l weight_l value_l + constant.
std::vector<double> feature_weights(const Preprocessing& preprocessing, std::span<const double> mean,
                                    double mean_row_scale);

/// The same for standard deviations of independent inputs.
std::vector<double> feature_deviations(const Preprocessing& preprocessing, std::span<const double> deviation,
                                       double mean_row_scale);

/// Of the inputs, whichever method found them.
struct InputEstimates {
  std::span<const double> mean, deviation, inclusion;
};
/// Fills the model's weight, sd and inclusion, in the units of its features. After whitening no input is a feature: a
/// feature's share of the largest weight stands for its inclusion.
void describe_features(const Preprocessing& preprocessing, std::span<const double> row_scale,
                       const InputEstimates& estimates, Model& model);

}  // namespace cavity::data
