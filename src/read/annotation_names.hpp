// Names that counting and annotating programs write into a table beside genes and samples.
#pragma once

#include <string_view>

namespace cavity {

/// Of a column: Chr, Start, Length, gene_name, ... in any case.
bool is_annotation_name(std::string_view name);

/// Of a row: what was counted for no gene (HTSeq's __no_feature, STAR's N_unmapped).
bool is_rest_of_counts(std::string_view name);

}  // namespace cavity
