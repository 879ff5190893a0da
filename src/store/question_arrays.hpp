// Which arrays hold a question's mixture of cells and what it says of the features: of two classes once, of more once a
// class, their names then behind "class<k>/".
#pragma once

#include <string>

#include "cavity/model.hpp"
#include "file/array_file.hpp"
#include "store/bent_arrays.hpp"

namespace cavity {

/// What has to be gathered from structs into arrays before it can be written; it and the parts that it was made of live
/// until the file is written.
class QuestionArrays {
 public:
  /// `correlated` and `recalibration` belong to all questions together; a file has them beside the only one.
  QuestionArrays(const QuestionModel& question, const std::vector<std::vector<std::uint32_t>>& correlated,
                 const std::optional<Recalibration>& recalibration);
  void add(const std::string& prefix, ArrayWriter& file) const;

 private:
  void add_components(const std::string& prefix, ArrayWriter& file) const;

  const CellMixture& mixture_;
  const FeatureEstimates& features_;
  BentArrays bent_;
  std::vector<double> components_, recalibration_, recalibration_sampled_, recalibration_others_, covariate_precision_,
      covariate_estimates_, credible_shares_, credible_sets_, density_average_, alone_;
  std::vector<std::uint32_t> group_sizes_, group_members_, credible_sizes_, credible_members_;
};

/// The mixture's activation and whether it has an intercept stand in the header of the file.
QuestionModel read_question(const ArrayReader& file, const std::string& prefix);

std::optional<Recalibration> read_recalibration(const ArrayReader& file, const std::string& name);

/// Correlated features.
std::vector<std::vector<std::uint32_t>> read_correlated(const ArrayReader& file, const std::string& prefix);

}  // namespace cavity
