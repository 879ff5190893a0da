// The sentences that the sheet of TRIPOD+AI and the model card have in common: what a model file knows of its study.
#pragma once

#include <string>
#include <vector>

#include "cavity/model.hpp"

namespace cavity {

struct StudyWords {
  std::string title, participants, outcome, predictors, preparation, missing, sample_size, method, left_out,
      performance, calibration, boundary, classes_as_they_are, specification, by_class, use, updates;
  std::vector<std::string> warnings, notes, adaptations;
};

/// InputError where the summary of the fit is damaged.
StudyWords study_words(const Model& model);

}  // namespace cavity
