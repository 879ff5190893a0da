#include "grid/place_inputs.hpp"

#include <numeric>

#include "grid/cut_evidence.hpp"
#include "prepare/column_scores.hpp"
#include "prepare/transform.hpp"

namespace cavity {

namespace {

struct Form {
  FeatureMatrix scores;
  double evidence;  // mean over features, in the units of CutEvidence
};

Form make_form(const FeatureMatrix& values, const CutEvidence& evidence, ThreadPool& pool) {
  const std::vector<float> score = normal_scores(values.rows);
  Form out{FeatureMatrix(values.rows, values.cols), 0};
  std::vector<double> each(values.cols);
  const auto work = [&](std::size_t l, std::span<const std::uint32_t> place) {
    for (std::size_t mu = 0; mu < place.size(); ++mu) out.scores.row(mu)[l] = score[place[mu]];
    each[l] = evidence.of(place);
  };
  for_columns(values, work, pool);
  out.evidence = std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
  return out;
}

}  // namespace

std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, std::span<const std::int8_t> labels,
                                                     double flip, ThreadPool& pool) {
  if (!prepared.features.is_dense()) return nullptr;
  const CutEvidence evidence(labels, flip);
  Form form = make_form(prepared.features.dense(), evidence, pool);
  const bool both = prepared.measured.cols > 0;
  Form measured = both ? make_form(prepared.measured, evidence, pool) : Form{};
  const bool as_measured = both && measured.evidence > form.evidence;
  return std::make_shared<const PlaceInputs>(std::move(as_measured ? measured.scores : form.scores), as_measured);
}

}  // namespace cavity
