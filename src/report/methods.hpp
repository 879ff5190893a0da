// A fit as the methods paragraph of a paper.
#pragma once

#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// What was done and what came of it, with the numbers of this fit; one line. Of baselines nothing.
std::string methods_words(const Fit& fit);

}  // namespace cavity
