// How features of cells are called.
#pragma once

#include <string>
#include <vector>

namespace cavity {

/// The symbol; symbol_id where several have one symbol, which does not depend on their order.
std::vector<std::string> cell_feature_names(const std::vector<std::string>& ids,
                                            const std::vector<std::string>& symbols);

}  // namespace cavity
