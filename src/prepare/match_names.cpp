#include "prepare/match_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cavity/errors.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"

namespace cavity {

namespace {

/// What does not count in a comparison.
struct Disregard {
  bool letter_case = false, version = false;
  std::string prefix_of_data{}, prefix_of_model{};  // taken off, where it is there

  std::string text() const {
    std::vector<std::string> parts;
    if (letter_case) parts.emplace_back("case");
    if (version) parts.emplace_back("the version behind the last dot");
    if (!prefix_of_data.empty()) parts.push_back(fmt::format("the prefix {} of the data's", shown(prefix_of_data)));
    if (!prefix_of_model.empty()) parts.push_back(fmt::format("the prefix {} of the model's", shown(prefix_of_model)));
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : " and ") + part;
    return out;
  }
};

std::string_view without_version(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return name;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_digit) ? name.substr(0, dot)
                                                                                                : name;
}

std::string key(std::string_view name, const Disregard& how, const std::string& prefix) {
  if (!prefix.empty() && name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (how.version) name = without_version(name);
  return how.letter_case ? lower_case(std::string(name)) : std::string(name);
}

/// A place for every key that one name has.
std::unordered_map<std::string, std::size_t> unique_keys(const std::vector<std::string>& names, const Disregard& how,
                                                         const std::string& prefix) {
  constexpr std::size_t ambiguous = SIZE_MAX;
  std::unordered_map<std::string, std::size_t> out;
  for (std::size_t l = 0; l < names.size(); ++l)
    if (const auto [at, fresh] = out.emplace(key(names[l], how, prefix), l); !fresh) at->second = ambiguous;
  std::erase_if(out, [](const auto& entry) { return entry.second == ambiguous; });
  return out;
}

/// What stands most often before a name of the others: looked for with a few names.
std::string common_prefix(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  constexpr std::size_t looked_at = 50, shortest = 3;
  std::map<std::string, std::size_t> found;
  for (std::size_t i = 0; i < std::min(looked_at, others.size()); ++i) {
    const std::string& other = others[i * others.size() / std::min(looked_at, others.size())];
    if (other.size() < shortest) continue;
    for (const std::string& name : names)
      if (name.size() > other.size() && name.ends_with(other)) ++found[name.substr(0, name.size() - other.size())];
  }
  const auto best =
      std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return best == found.end() ? "" : best->first;
}

struct Matching {
  Disregard how;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // of the data, of the model
};

Matching match_by(const Disregard& how, const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  Matching out{how, {}};
  const auto data = unique_keys(names, how, how.prefix_of_data);
  for (const auto& [name, l] : unique_keys(wanted, how, how.prefix_of_model))
    if (const auto at = data.find(name); at != data.end()) out.pairs.emplace_back(at->second, l);
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

/// Whatever finds most, the least disregard among equals.
Matching best_matching(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  std::vector<Disregard> ways = {{true}, {false, true}, {true, true}};
  if (const std::string prefix = common_prefix(names, wanted); !prefix.empty()) {
    ways.push_back({false, false, prefix, ""});
    ways.push_back({false, true, prefix, ""});
  }
  if (const std::string prefix = common_prefix(wanted, names); !prefix.empty()) {
    ways.push_back({false, false, "", prefix});
    ways.push_back({false, true, "", prefix});
  }
  Matching best;
  for (const Disregard& how : ways)
    if (Matching one = match_by(how, names, wanted); one.pairs.size() > best.pairs.size()) best = std::move(one);
  return best;
}

}  // namespace

std::size_t match_names(const Preprocessing& p, std::vector<std::string>& names, bool wanted) {
  if (p.feature_names == names) return 0;
  std::vector<std::string> kept;
  for (const std::uint32_t l : p.kept) kept.push_back(p.feature_names[l]);
  const std::unordered_set<std::string_view> there(names.begin(), names.end());
  const auto found = static_cast<std::size_t>(
      std::ranges::count_if(kept, [&](const std::string& name) { return there.contains(name); }));
  if (found == kept.size() || (found > 0 && !wanted)) return 0;
  const Matching best = best_matching(names, kept);
  if (best.pairs.size() <= found) return 0;
  if (!wanted)
    throw InputError(fmt::format(
        "none of the model's {} features are in the data, whose first columns are {}; {} would be if {} did not count: "
        "say `match` if they are the same",
        kept.size(),
        shown_names(
            std::vector<std::string>(
                names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, names.size()))),
            3),
        best.pairs.size(), best.how.text()));
  const std::unordered_set<std::string_view> all(p.feature_names.begin(), p.feature_names.end());
  std::size_t renamed = 0;
  std::vector<std::pair<std::size_t, std::string>> changes;
  for (const auto& [from, to] : best.pairs)
    if (names[from] != kept[to] && !all.contains(names[from]) && !there.contains(kept[to]))
      changes.emplace_back(from, kept[to]);
  for (auto& [at, name] : changes) {
    names[at] = std::move(name);
    ++renamed;
  }
  return renamed;
}

}  // namespace cavity
