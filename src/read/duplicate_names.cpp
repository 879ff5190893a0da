#include "read/duplicate_names.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "file/messages.hpp"

namespace cavity {

void tell_apart(std::vector<std::string>& names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  if (taken.size() == names.size()) return;
  std::unordered_map<std::string, std::size_t> next;
  for (std::string& name : names) {
    const auto [at, fresh] = next.emplace(name, 1);
    if (fresh) continue;
    std::string other;
    do other = fmt::format("{}.{}", name, at->second++);
    while (!taken.insert(other).second);
    name = std::move(other);
  }
}

std::string duplicates_cure(std::size_t again) {
  const std::string all = again > 1 ? fmt::format(" ({} in all repeat an earlier one)", counted(again, "name")) : "";
  return all +
         "; rename, or say what becomes of them: `duplicates=mean`, sum, first, or suffix, which tells them apart";
}

}  // namespace cavity
