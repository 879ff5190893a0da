#include "search/place_inputs.hpp"

#include "prepare/column_scores.hpp"
#include "prepare/transform.hpp"
#include "search/single_places.hpp"

namespace cavity {

std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, const SinglePlaces& single,
                                                     ThreadPool& pool) {
  if (!prepared.features.is_dense()) return nullptr;
  std::vector<const FeatureMatrix*> forms = {&prepared.features.dense()};
  if (prepared.measured.cols > 0) forms.push_back(&prepared.measured);
  const std::size_t samples = forms.front()->rows, inputs = forms.front()->cols;
  const std::vector<float> score = normal_scores(samples);
  FeatureMatrix scores(samples, forms.size() * inputs);
  std::vector<double> evidence(scores.cols);
  for (std::size_t form = 0; form < forms.size(); ++form) {
    const auto work = [&](std::size_t l, std::span<const std::uint32_t> place) {
      const std::size_t column = form * inputs + l;
      for (std::size_t mu = 0; mu < samples; ++mu) scores.row(mu)[column] = score[place[mu]];
      evidence[column] = single.log_evidence(place);
    };
    for_columns(*forms[form], work, pool);
  }
  return std::make_shared<PlaceInputs>(std::move(scores), std::move(evidence), inputs);
}

}  // namespace cavity
