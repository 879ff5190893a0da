// A data set as a NumPy array and a file of labels, which read_dataset reads back.
#pragma once

#include <string>

#include "cavity/dataset.hpp"

namespace cavity {

/// The features as float32, samples x features, NumPy format 1.0. Throws IoError.
void write_npy(const Dataset& dataset, const std::string& path);

/// The class name of every sample, one a line. Throws IoError.
void write_labels(const Dataset& dataset, const std::string& path);

}  // namespace cavity
