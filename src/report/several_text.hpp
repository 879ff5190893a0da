// The parts of a fit's summary that are other ones where there are more than two classes.
#pragma once

#include <string>

#include "cavity/fit.hpp"

namespace cavity {

std::string several_header(const Fit& fit);
/// `error` are the words for the leave-one-out error.
std::string several_result(const Fit& fit, const std::string& error);
std::string several_features(const Model& model, std::size_t top);

}  // namespace cavity
