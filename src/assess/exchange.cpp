#include "assess/exchange.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <numeric>

namespace cavity {

namespace {

void shuffle(std::span<std::size_t> some, Random& random) {
  for (std::size_t i = 0; i + 1 < some.size(); ++i) std::swap(some[i], some[i + random.below(some.size() - i)]);
}

// std::lgamma writes a global variable.
double log_factorial(std::size_t n) { return boost::math::lgamma(static_cast<double>(n) + 1); }

/// ln of the number of different orders of these.
template <class T>
double log_orders(const std::vector<T>& some) {
  std::map<T, std::size_t> counts;
  for (const T& one : some) ++counts[one];
  double out = log_factorial(some.size());
  for (const auto& [one, count] : counts) out -= log_factorial(count);
  return out;
}

}  // namespace

Exchange::Exchange(std::span<const std::uint32_t> classes, const Matrix& covariates, const SampleGroups* groups)
    : classes_(classes) {
  if (groups)
    members_ = groups->members;
  else
    for (std::size_t mu = 0; mu < classes.size(); ++mu) members_.push_back({mu});
  for (const auto& group : members_)
    for (const std::size_t mu : group) {
      const auto first = static_cast<Eigen::Index>(group.front()), other = static_cast<Eigen::Index>(mu);
      whole_ = whole_ && classes[mu] == classes[group.front()] && covariates.row(other) == covariates.row(first);
    }
  std::map<std::size_t, std::vector<std::size_t>> of_size;
  for (std::size_t g = 0; g < members_.size(); ++g) of_size[whole_ ? 0 : members_[g].size()].push_back(g);
  for (auto& [size, set] : of_size) sets_.push_back(std::move(set));
}

double Exchange::log_labellings() const {
  double out = 0;
  for (const auto& set : sets_) {
    std::vector<std::vector<std::uint32_t>> labels;  // of the groups; within one in order of size
    for (const std::size_t g : set) {
      labels.emplace_back();
      for (const std::size_t mu : members_[g]) labels.back().push_back(classes_[mu]);
      if (whole_) labels.back().resize(1);
      std::ranges::sort(labels.back());
      out += log_orders(labels.back());
    }
    out += log_orders(labels);
  }
  return out;
}

std::vector<std::size_t> Exchange::draw(Random random) const {
  std::vector<std::size_t> source(classes_.size());
  for (const auto& set : sets_) {
    std::vector<std::size_t> from = set;
    shuffle(from, random);
    for (std::size_t i = 0; i < set.size(); ++i) {
      std::vector<std::size_t> given = members_[from[i]];
      if (!whole_) shuffle(given, random);
      const auto& own = members_[set[i]];
      for (std::size_t j = 0; j < own.size(); ++j) source[own[j]] = whole_ ? given.front() : given[j];
    }
  }
  return source;
}

}  // namespace cavity
