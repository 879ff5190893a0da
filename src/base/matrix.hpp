// The dense double matrix of the house: row-major, sizes from samples or small blocks, never features x features when
// features outnumber samples.
#pragma once

#include <Eigen/Core>

namespace cavity {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace cavity
