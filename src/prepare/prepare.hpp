// From a table to what inference sees. Everything is fitted on the rows given to prepare() and remembered in a
// Preprocessing, so that apply() does the same to new rows. Both work inside a dense matrix that nobody else holds: the
// peak is that matrix and a few vectors of one entry a feature (whitening adds its own matrix, kept features x
// directions). A borrowed matrix is copied only when something has to be written: a transform, an imputed value, a
// dropped feature. Any other table stays as it is held, unless a transform or whitening is asked for.
#pragma once

#include <string>
#include <vector>

#include "base/shards.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"
#include "table/scaled_columns.hpp"

namespace cavity {

/// Samples as inference sees them, x_mu,l = row_scale_mu scale_l (value_mu,l - centre_l) of column l, |x_mu|^2 =
/// inputs. Centre and scale are left to the design; after whitening they are 0 and 1.
struct Inputs {
  FeatureTable features;
  ScaledColumns columns;           // of the table, one an input; all of a dense table's, in their order
  std::vector<double> row_scale;   // a sample; 1 where the scaled row is zero and each has its own
  FeatureMatrix covariates;        // samples x encoded columns, without an intercept
  std::vector<std::string> notes;  // what was done
  std::size_t missing = 0;         // values replaced by their feature's mean

  std::size_t samples() const { return row_scale.size(); }
  std::size_t inputs() const { return columns.count(); }
};

struct Prepared : Inputs {
  Preprocessing preprocessing;  // its transform is the chosen one
  FeatureMatrix measured;       // the kept features before a transform of whole samples, where they are asked for
  std::size_t constant = 0;     // features dropped, those without any value included
  std::size_t filtered = 0;     // genotypes: variants dropped by frequency or missing calls
};

using Applied = Inputs;

/// Fits on all rows of `data`; takes its features, feature names and covariates, and leaves labels, sample names and
/// notes. Constant features (all values equal, or deviating by at most 1e-6 of their size, before or after the
/// transform) are dropped. Throws InputError when none is left, or when a value is infinite.
/// Of several processes each looks at its own columns; what is fitted is the same in all.
Prepared prepare(Dataset&& data, const PreprocessingOptions& options, ThreadPool& pool,
                 const Shards& shards = Shards::whole());

/// The same for new rows. Features and covariates are matched by name: their order does not matter, unknown ones are
/// ignored, and one that is missing is an InputError, except that a feature which training dropped takes its training
/// mean, and that an absent f<index> of an svmlight file is 0.
/// `ranked_later`: a sample whether its values stay in their units where the transform is by ranks, for who ranks only
/// some of them; empty: none do.
Applied apply(const Preprocessing& preprocessing, Dataset&& data, ThreadPool& pool,
              const std::vector<bool>& ranked_later = {});

}  // namespace cavity
