// A weighted sum as an ONNX graph, for programs that run models of any origin.
#pragma once

#include <string>
#include <vector>

#include "cavity/linear_score.hpp"

namespace cavity {

/// The bytes of an ONNX file (IR 7, operators of version 13, computed in double precision):
///   features, float[samples, features] and, where there are any, covariates, float[samples, covariates], in the order
///   of the score's terms; NaN is a missing value
///   -> score, double[samples, 1], and label, string[samples, 1]: class_names[1] where the score is 0 or above.
/// The names of the columns are in the file's metadata, as JSON lists `features`, `covariates` and `classes`.
std::string onnx_bytes(const LinearScore& score, const std::vector<std::string>& class_names);

}  // namespace cavity
