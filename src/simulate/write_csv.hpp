// A data set as a CSV file that read_dataset reads back.
#pragma once

#include <string>

#include "cavity/dataset.hpp"

namespace cavity {

/// Header, then one row a sample: column "label" with the class name (left out when there are no labels), then the
/// features with nine digits, which give back every float32; missing values are empty. "-" is standard output. Throws
/// IoError, UsageError when a feature is called "label" too.
void write_csv(const Dataset& dataset, const std::string& path);

}  // namespace cavity
