// Inverse of a positive definite matrix at the speed of matrix products.
#pragma once

#include <optional>

#include "base/matrix.hpp"
#include "base/threads.hpp"

namespace cavity {

/// Replaces A (symmetric; its lower triangle is read) by its inverse and returns ln det A; nothing when A is not
/// positive definite, and A is then as it was. The same bits for any number of threads.
std::optional<double> invert_positive_definite(Matrix& a, ThreadPool& pool);

}  // namespace cavity
