// Which columns of a table inference sees, and how: x_mu,l = r_mu scale_l (value - centre_l) of column[l].
#pragma once

#include <cstdint>
#include <vector>

namespace cavity {

struct ScaledColumns {
  std::vector<std::uint32_t> column;
  std::vector<double> centre, scale;  // one a column

  std::size_t count() const { return column.size(); }
};

}  // namespace cavity
