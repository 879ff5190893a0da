// Names that are the same but for how they are written: case (tp53, TP53), a version (ENSG00000141510.17), a prefix
// (X1007_s_at, rna_TP53).
#pragma once

#include <string>
#include <vector>

#include "cavity/preprocessing.hpp"

namespace cavity {

/// Names of the data become those of the model where that finds more of its features than there are by name, if it is
/// wanted; returns how many. Names that would be two are left alone. Where none is there by name and it is not wanted,
/// an InputError says how many would be found, and by what.
std::size_t match_names(const Preprocessing& preprocessing, std::vector<std::string>& names, bool wanted);

}  // namespace cavity
