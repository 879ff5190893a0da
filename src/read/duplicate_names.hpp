// Names that come more than once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cavity {

/// .1, .2, ... behind all but the first of each, as R and pandas have it; a name that stands already is passed over.
void tell_apart(std::vector<std::string>& names);

/// What follows "lines 3 and 9 have the same name, 'TP53'": how many repeat an earlier one, and what can be done.
std::string duplicates_cure(std::size_t again);

}  // namespace cavity
