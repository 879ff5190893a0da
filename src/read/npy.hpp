// NumPy's .npy: a 2-D array of samples x features, labels in a file of their own.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Versions 1 to 3, little-endian float32/64, integers and booleans, C or Fortran order. Values are converted in
/// strips, and a mapped file's pages are given back after each, so that the peak is the matrix itself. From 16 MB on
/// float32 in C order is not copied at all: the features borrow the bytes, which they keep.
Dataset read_npy(Bytes bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
