#include "infer/place_sets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_set>

namespace cavity {

namespace {

constexpr double stands_in = 0.5;  // absolute correlation from which a feature can stand in for another
using Counts = std::map<std::uint32_t, std::size_t>;

struct Entry {
  std::uint32_t feature;
  bool taken;  // by a place
};
using Draw = std::vector<Entry>;

std::vector<Draw> split(const PlaceDraws& draws) {
  std::vector<Draw> out;
  const std::uint32_t* place = draws.place.data();
  for (const std::size_t size : draws.size) {
    Draw& draw = out.emplace_back();
    for (std::size_t k = 0; k < size; ++k) draw.push_back({*place++, false});
  }
  return out;
}

/// The most frequent feature that no place has; none: false.
bool find_leader(const std::vector<Draw>& draws, std::uint32_t& leader) {
  Counts count;
  for (const Draw& draw : draws)
    for (const Entry& entry : draw)
      if (!entry.taken) ++count[entry.feature];
  if (count.empty()) return false;
  leader = std::ranges::max_element(count, {}, [](const auto& c) { return c.second; })->first;
  return true;
}

/// Absolute correlations of every feature with the leader (columns are centred as they come).
class Likeness {
 public:
  Likeness(const Design& design, std::uint32_t leader, const std::vector<std::uint32_t>& others, ThreadPool& pool)
      : of_(design.features()) {
    std::vector<std::size_t> which(others.begin(), others.end());
    which.push_back(leader);
    Matrix columns;
    design.columns(which, columns);
    const Eigen::VectorXd column = columns.rightCols<1>();
    design.transpose_times({column.data(), design.samples()}, of_, pool);
    for (std::size_t k = 0; k < others.size(); ++k)
      of_[others[k]] /= column.norm() * columns.col(static_cast<Eigen::Index>(k)).norm();
  }
  double operator()(std::uint32_t feature) const { return std::abs(of_[feature]); }

 private:
  std::vector<double> of_;
};

std::vector<std::uint32_t> free_features(const std::vector<Draw>& draws) {
  std::vector<std::uint32_t> out;
  for (const Draw& draw : draws)
    for (const Entry& entry : draw)
      if (!entry.taken) out.push_back(entry.feature);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::unordered_set<std::uint32_t> companions(const std::vector<Draw>& draws, std::uint32_t leader) {
  std::unordered_set<std::uint32_t> out;
  for (const Draw& draw : draws)
    if (std::ranges::find(draw, leader, &Entry::feature) != draw.end())
      for (const Entry& entry : draw)
        if (entry.feature != leader) out.insert(entry.feature);
  return out;
}

/// Takes one entry of every draw that has one for the leader's place.
Counts fill_place(std::vector<Draw>& draws, std::uint32_t leader, const Likeness& likeness) {
  const std::unordered_set<std::uint32_t> together = companions(draws, leader);
  const auto fitness = [&](const Entry& entry) {
    if (entry.taken) return -1.0;
    if (entry.feature == leader) return 2.0;
    const double like = likeness(entry.feature);
    return like > stands_in || !together.contains(entry.feature) ? like : -1.0;
  };
  Counts count;
  for (Draw& draw : draws) {
    const auto best = std::ranges::max_element(draw, {}, fitness);
    if (best == draw.end() || fitness(*best) < 0) continue;
    best->taken = true;
    ++count[best->feature];
  }
  return count;
}

CredibleSet make_set(const Counts& count, std::size_t draws, double level) {
  std::vector<std::pair<std::uint32_t, std::size_t>> ranked(count.begin(), count.end());
  std::ranges::stable_sort(ranked, std::greater{}, [](const auto& c) { return c.second; });
  std::size_t filled = 0, covered = 0;
  for (const auto& [feature, times] : ranked) filled += times;
  CredibleSet out;
  for (const auto& [feature, times] : ranked) {
    if (static_cast<double>(covered) >= level * static_cast<double>(filled)) break;
    out.features.push_back(feature);
    out.share.push_back(static_cast<double>(times) / static_cast<double>(draws));
    covered += times;
  }
  out.probability = static_cast<double>(covered) / static_cast<double>(draws);
  out.filled = static_cast<double>(filled) / static_cast<double>(draws);
  return out;
}

std::vector<CredibleSet> find_sets(std::vector<Draw> draws, const Design& design, const CredibleOptions& options,
                                   ThreadPool& pool) {
  std::vector<CredibleSet> out;
  std::uint32_t leader = 0;
  while (out.size() < options.most && find_leader(draws, leader)) {
    const Likeness likeness(design, leader, free_features(draws), pool);
    out.push_back(make_set(fill_place(draws, leader, likeness), draws.size(), options.level));
  }
  std::erase_if(out, [&](const CredibleSet& set) { return set.filled < options.least_told; });
  std::ranges::stable_sort(out, std::greater{}, &CredibleSet::filled);
  return out;
}

bool has(const std::vector<std::uint32_t>& features, std::uint32_t feature) {
  return std::ranges::find(features, feature) != features.end();
}

/// The set that has most of another one; none: null.
const CredibleSet* same_place(const CredibleSet& set, const std::vector<CredibleSet>& among) {
  const CredibleSet* out = nullptr;
  double most = 0;
  for (const CredibleSet& other : among) {
    double common = 0;
    for (std::size_t k = 0; k < set.features.size(); ++k)
      if (has(other.features, set.features[k])) common += set.share[k];
    if (common > most) out = &other;
    most = std::max(most, common);
  }
  return out;
}

std::size_t count_draws(std::span<const Draw> draws, const std::vector<std::uint32_t>& features) {
  return static_cast<std::size_t>(std::ranges::count_if(draws, [&](const Draw& draw) {
    return std::ranges::any_of(draw, [&](const Entry& entry) { return has(features, entry.feature); });
  }));
}

/// How many draws of each part keep a feature of the set that the other parts have for the same place.
std::vector<std::size_t> count_confirmed(const std::vector<CredibleSet>& sets, const std::vector<Draw>& draws,
                                         const Design& design, const CredibleOptions& options, ThreadPool& pool) {
  std::vector<std::size_t> out(sets.size(), 0);
  for (std::size_t k = 0; k < options.parts; ++k) {
    const std::size_t first = k * draws.size() / options.parts, end = (k + 1) * draws.size() / options.parts;
    std::vector<Draw> others(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(first));
    others.insert(others.end(), draws.begin() + static_cast<std::ptrdiff_t>(end), draws.end());
    const std::vector<CredibleSet> found = find_sets(std::move(others), design, options, pool);
    for (std::size_t i = 0; i < sets.size(); ++i)
      if (const CredibleSet* same = same_place(sets[i], found))
        out[i] += count_draws(std::span(draws).subspan(first, end - first), same->features);
  }
  return out;
}

}  // namespace

std::vector<CredibleSet> credible_sets(const PlaceDraws& draws, const Design& design, const CredibleOptions& options,
                                       ThreadPool& pool) {
  const std::vector<Draw> all = split(draws);
  std::vector<CredibleSet> out = find_sets(all, design, options, pool);
  const std::vector<std::size_t> confirmed = count_confirmed(out, all, design, options, pool);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double said = out[i].probability,
                 known = static_cast<double>(confirmed[i]) / static_cast<double>(draws.count());
    out[i].probability = std::min(known, out[i].filled);
    for (double& share : out[i].share) share *= out[i].probability / said;
  }
  std::erase_if(out, [&](const CredibleSet& set) { return set.probability < options.least_told; });
  return out;
}

}  // namespace cavity
