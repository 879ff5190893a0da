// Two classes as solvers take them.
#pragma once

#include "cavity/dataset.hpp"
#include "table/question.hpp"

namespace cavity::test {

/// +1 a sample of the second class, -1 of the first.
inline std::vector<std::int8_t> sides(const Dataset& data) { return against_rest(data.classes, 1); }

}  // namespace cavity::test
