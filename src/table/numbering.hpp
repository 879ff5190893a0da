// Columns that number the samples instead of measuring them: a patient's number, the order of a list. Where classes
// stand one after the other such a column tells them apart, on pure noise as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

struct NumberingColumn {
  std::size_t column;
  std::string why;  // follows the column's name: "'patient' is called like an id"
};

/// Columns of whole numbers that are called like an id and hardly repeat, that count samples one by one in their order
/// (8 samples or more), or that ascend or descend, hardly repeating, where samples of a class stand together (12 or
/// more: chance makes one of 10^6 columns of pairs). One look at the first samples settles all but a few columns.
std::vector<NumberingColumn> numbering_columns(const FeatureMatrix& features, const std::vector<std::string>& names,
                                               const std::vector<std::uint32_t>& classes);

/// id, patient, sample number, ... in any case and spacing.
bool is_id_name(std::string_view name);

}  // namespace cavity
