#include "read/cell_names.hpp"

#include <unordered_map>

#include "read/duplicate_names.hpp"

namespace cavity {

std::vector<std::string> cell_feature_names(const std::vector<std::string>& ids,
                                            const std::vector<std::string>& symbols) {
  std::unordered_map<std::string, std::size_t> count;
  for (const std::string& symbol : symbols) ++count[symbol];
  std::vector<std::string> out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string& symbol = symbols[i];
    if (symbol.empty())
      out.push_back(ids[i]);
    else
      out.push_back(count[symbol] > 1 && symbol != ids[i] ? symbol + "_" + ids[i] : symbol);
  }
  tell_apart(out);
  return out;
}

}  // namespace cavity
