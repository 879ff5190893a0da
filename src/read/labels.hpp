// From the text of the label column to -1 and +1, or to positions among more than two classes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/read.hpp"

namespace cavity {

struct LabelTexts {
  std::vector<std::string> values;  // one a sample, as read
  std::vector<std::size_t> lines;   // where each stands in `path`, for messages
  std::string path;
};

/// One spelling a class: numbers by value ("+1", "1.0" and "1" are "1"), other text as it is.
std::string class_of(std::string_view text);

/// Fills labels, or classes where there are more than two, and class_names of `dataset`, and notes them. See
/// ReadOptions for what is asked of them.
void assign_labels(Dataset& dataset, const LabelTexts& texts, const ReadOptions& options);

}  // namespace cavity
