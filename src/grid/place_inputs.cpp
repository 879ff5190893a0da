#include "grid/place_inputs.hpp"

#include <algorithm>

#include "grid/single_places.hpp"
#include "prepare/column_scores.hpp"
#include "prepare/transform.hpp"

namespace cavity {

namespace {

/// All columns as scores. `evidence`: columns x (1 + folds), of all labels and of those outside each fold.
PlaceForm make_form(const FeatureMatrix& values, const SinglePlaces& single, std::span<const std::size_t> fold,
                    std::size_t folds, std::vector<double>& evidence, ThreadPool& pool) {
  const std::vector<float> score = normal_scores(values.rows);
  FeatureMatrix scores(values.rows, values.cols);
  evidence.resize(values.cols * (1 + folds));
  const auto work = [&](std::size_t l, std::span<const std::uint32_t> place) {
    for (std::size_t mu = 0; mu < place.size(); ++mu) scores.row(mu)[l] = score[place[mu]];
    single.log_evidence(place, fold, std::span(evidence).subspan(l * (1 + folds), 1 + folds));
  };
  for_columns(values, work, pool);
  std::vector<double> of_all(values.cols);
  for (std::size_t l = 0; l < of_all.size(); ++l) of_all[l] = evidence[l * (1 + folds)];
  return {std::move(scores), std::move(of_all)};
}

double log_sum_of_column(const std::vector<double>& matrix, std::size_t columns, std::size_t column) {
  std::vector<double> values;
  for (std::size_t at = column; at < matrix.size(); at += columns) values.push_back(matrix[at]);
  return log_sum(values);
}

}  // namespace

std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, const SinglePlaces& single,
                                                     std::span<const std::size_t> fold, ThreadPool& pool) {
  if (!prepared.features.is_dense()) return nullptr;
  auto out = std::make_shared<PlaceInputs>();
  const std::size_t all_folds = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  out->told_without.assign(all_folds, 0);
  const bool both = prepared.measured.cols > 0;
  const std::size_t folds = both ? all_folds : 0;  // one form needs no choice
  std::vector<double> evidence, measured;
  out->forms.reserve(2);
  out->forms.push_back(make_form(prepared.features.dense(), single, fold, folds, evidence, pool));
  if (!both) return out;
  out->forms.push_back(make_form(prepared.measured, single, fold, folds, measured, pool));
  const auto better = [&](std::size_t column) -> std::size_t {
    return log_sum_of_column(measured, 1 + folds, column) > log_sum_of_column(evidence, 1 + folds, column) ? 1 : 0;
  };
  out->told = better(0);
  for (std::size_t k = 0; k < folds; ++k) out->told_without[k] = better(1 + k);
  return out;
}

}  // namespace cavity
