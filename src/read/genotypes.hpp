// A PLINK fileset as a data set.
#pragma once

#include <string>

#include "cavity/read.hpp"

namespace cavity {

/// The fileset at `path`: labels from the .fam or from options.labels_file (one a line, in the order of the .fam).
/// Samples without a label are left out where labels are required. The calls stay packed.
Dataset read_genotypes(const std::string& path, const ReadOptions& options);

/// Whether `path` names a PLINK fileset: one of its three files, or what they have in common.
bool names_plink(const std::string& path);

}  // namespace cavity
