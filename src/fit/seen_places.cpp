#include "fit/seen_places.hpp"

#include <algorithm>

#include "prepare/column_scores.hpp"
#include "prepare/transform.hpp"

namespace cavity {

SeenPlaces see_places(const Model& model, const CellMixture& mixture, const DenseDesign& training, ThreadPool& pool) {
  SeenPlaces out;
  for (const Component& c : mixture.components)
    out.place.insert(out.place.end(), c.places.place.begin(), c.places.place.end());
  const bool scored = !mixture.place_scores.place.empty();
  if (scored) out.place = mixture.place_scores.place;
  std::ranges::sort(out.place);
  out.place.erase(std::unique(out.place.begin(), out.place.end()), out.place.end());
  const auto inputs = static_cast<std::uint32_t>(model.preprocessing.inputs());
  for (const std::uint32_t l : out.place) out.input.push_back(l % inputs);
  const std::vector<std::size_t> which(out.input.begin(), out.input.end());
  training.columns(which, out.values);
  if (!scored) return out;
  // The order of a column is that of its values; those before a transform of whole samples are not kept, and the form
  // that is stands in for them.
  FeatureMatrix columns(training.samples(), which.size());
  for (std::size_t mu = 0; mu < columns.rows; ++mu)
    for (std::size_t j = 0; j < which.size(); ++j) columns.row(mu)[j] = model.training.values.row(mu)[which[j]];
  const std::vector<float> score = normal_scores(columns.rows);
  for_columns(
      columns,
      [&](std::size_t j, std::span<const std::uint32_t> place) {
        for (std::size_t mu = 0; mu < place.size(); ++mu)
          out.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) =
              static_cast<double>(score[place[mu]]);
      },
      pool);
  return out;
}

std::vector<double> mean_draw(const CellMixture& mixture, const std::vector<std::uint32_t>& seen) {
  std::vector<double> out(seen.size(), 0);
  for (const Component& c : mixture.components) {
    const PlaceDraws& draws = c.places;
    const std::uint32_t* place = draws.place.data();
    const double* mean = draws.mean.data();
    for (const std::uint32_t size : draws.size) {
      mean += draws.covariates;
      for (std::uint32_t k = 0; k < size; ++k)
        out[static_cast<std::size_t>(std::ranges::lower_bound(seen, *place++) - seen.begin())] +=
            c.weight / static_cast<double>(draws.count()) * *mean++;
    }
  }
  return out;
}

}  // namespace cavity
