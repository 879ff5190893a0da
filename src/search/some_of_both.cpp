#include "search/some_of_both.hpp"

#include <algorithm>

#include "assess/deal_folds.hpp"

namespace cavity {

std::vector<std::size_t> some_of_both(std::span<const std::int8_t> labels, const std::vector<std::size_t>& samples,
                                      std::size_t enough) {
  const std::size_t parts = std::max<std::size_t>(1, (samples.size() + enough / 2) / enough);
  const std::vector<std::size_t> fold = deal_folds(labels_of(labels, samples), nullptr, parts);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < fold.size(); ++i)
    if (fold[i] == 0) out.push_back(samples[i]);
  return out;
}

std::vector<std::int8_t> labels_of(std::span<const std::int8_t> labels, const std::vector<std::size_t>& which) {
  std::vector<std::int8_t> out;
  for (const std::size_t mu : which) out.push_back(labels[mu]);
  return out;
}

Covariates covariates_of(const Covariates& covariates, const std::vector<std::size_t>& which) {
  return {covariates.count() > 0 ? Matrix(covariates.values(which, Eigen::all))
                                 : Matrix(static_cast<Eigen::Index>(which.size()), 0),
          covariates.precision};
}

}  // namespace cavity
