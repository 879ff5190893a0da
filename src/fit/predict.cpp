// Prediction of new samples: every question's mixture says P(+) = sum_k w_k g_k(field mean; field variance), and the
// calibration makes probabilities of classes of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "design/dense_design.hpp"
#include "fit/calibrate.hpp"
#include "fit/estimate.hpp"
#include "fit/make_covariates.hpp"
#include "fit/partial_samples.hpp"
#include "fit/predict_bent.hpp"
#include "fit/recalibrate.hpp"
#include "fit/together.hpp"
#include "infer/gamp.hpp"
#include "infer/place_draws.hpp"
#include "infer/predictive.hpp"
#include "model/activation_kind.hpp"
#include "prepare/column_scores.hpp"
#include "prepare/make_design.hpp"
#include "prepare/match_features.hpp"
#include "prepare/match_names.hpp"

namespace cavity {

namespace {

constexpr std::size_t batch = 256;  // new samples a gram matrix

struct NewRows {
  const Applied& inputs;
  FeatureMatrix values;                     // samples x inputs; none where no variance asks for them
  std::vector<FeatureMatrix> place_scores;  // a question: samples x places of its mixture's scores, if it has any
  const PartialSamples* partial = nullptr;  // where features are missing
};

// Training rows and a batch of new ones in one design.
struct Stacked {
  FeatureMatrix values;
  std::vector<double> row_scale;
};
Stacked stack_rows(const TrainingRows& training, const NewRows& fresh, std::size_t first, std::size_t count) {
  Stacked out{FeatureMatrix(training.values.rows + count, training.values.cols), training.row_scale};
  std::copy(training.values.values.begin(), training.values.values.end(), out.values.values.begin());
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(fresh.values.row(first + i), fresh.values.cols, out.values.row(training.values.rows + i));
    out.row_scale.push_back(fresh.inputs.row_scale[first + i]);
  }
  return out;
}

AnyActivation activation_of(const CellMixture& mixture, const Component& c) {
  return make_activation(mixture.activation, c.noise, c.width, c.density);
}

std::vector<double> field_variances(const TrainingRows& rows, const CellMixture& mixture, const Component& component,
                                    const NewRows& fresh, const Design& design, const Matrix& covariates,
                                    ThreadPool& pool) {
  const std::size_t samples = fresh.inputs.samples();
  const ScaledColumns& columns = fresh.inputs.columns;
  if (!component.variance.empty())
    return own_field_variances(design, component.variance, covariates, component.covariate_variance, pool);
  if (component.feature_precision.empty() || rows.values.rows == 0)
    return std::vector<double>(samples, component.common_variance);
  const DenseDesign training(view(rows.values), columns.centre, columns.scale, rows.row_scale);
  const Covariates prior =
      make_covariates(rows.covariates, rows.values.rows, mixture.intercept, mixture.covariate_precision);
  const std::vector<std::int8_t> any(rows.values.rows, 1);  // the variance does not depend on the labels
  const Problem problem{training, any, prior, activation_of(mixture, component), component.density};
  const PredictiveVariance variance(problem, component.feature_precision, component.sample_precision, pool);
  std::vector<double> out;
  for (std::size_t first = 0; first < samples; first += batch) {
    const std::size_t count = std::min(batch, samples - first);
    const Stacked stacked = stack_rows(rows, fresh, first, count);
    const DenseDesign both(view(stacked.values), columns.centre, columns.scale, stacked.row_scale);
    const auto part =
        variance(both, covariates.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count)), pool);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

/// To the variances of a component's field: what of its mean is missed, and its own variance of what is missed.
void add_doubt(const Model& model, std::size_t question, std::size_t component, const PartialSamples& partial,
               std::vector<double>& variance, ThreadPool& pool) {
  const Doubt& doubt = partial.doubt();
  if (doubt.patterns.empty()) return;
  const CellMixture& mixture = model.questions[question].mixture;
  const Component& c = mixture.components[component];
  std::vector<double> missed(doubt.missed.samples(), 0);
  if (!c.variance.empty() || !c.feature_precision.empty()) {
    const NewRows rows{doubt.missed, dense_values(doubt.missed), {}};
    const Matrix none =
        Matrix::Zero(static_cast<Eigen::Index>(missed.size()), static_cast<Eigen::Index>(c.covariate_mean.size()));
    missed = field_variances(model.training, mixture, c, rows, *make_design(doubt.missed), none, pool);
  }
  std::vector<double> more;
  for (const Doubt::Pattern& pattern : doubt.patterns) {
    double sum = pattern.field[question][component];
    for (std::size_t i = 0; i < pattern.missed; ++i)
      sum += missed[pattern.first_missed + i] / static_cast<double>(pattern.missed);
    more.push_back(sum);
  }
  for (std::size_t mu = 0; mu < variance.size(); ++mu)
    if (doubt.pattern_of[mu] != Doubt::whole) variance[mu] += more[doubt.pattern_of[mu]];
}

DrawDoubt draw_doubt(const PlaceDraws& draws, std::size_t question, const PartialSamples* partial) {
  if (!partial) return {};
  const Doubt& doubt = partial->doubt();
  DrawDoubt out{doubt.pattern_of, doubt.patterns.size(), std::vector<double>(draws.count() * doubt.patterns.size())};
  for (std::size_t k = 0; k < out.patterns; ++k) {
    const std::vector<double> of_draw =
        missed_variance(draws, partial->seen(question).place, doubt.patterns[k].places[question]);
    for (std::size_t draw = 0; draw < of_draw.size(); ++draw) out.variance[draw * out.patterns + k] = of_draw[draw];
  }
  return out;
}

/// The draws over what they see: the columns of the scores, where the mixture has some.
std::vector<double> draws_probability(const CellMixture& mixture, std::size_t question, PlaceDraws draws,
                                      const NewRows& fresh, const Design& design, const Matrix& covariates) {
  const std::vector<std::uint32_t>& scored = mixture.place_scores.place;
  const DrawDoubt doubt = draw_doubt(draws, question, fresh.partial);
  if (scored.empty()) return predict_places(draws, design, covariates, doubt);
  for (std::uint32_t& place : draws.place)
    place = static_cast<std::uint32_t>(std::ranges::lower_bound(scored, place) - scored.begin());
  return predict_places(draws, DenseDesign(view(fresh.place_scores[question])), covariates, doubt);
}

/// P(+) of a question's mixture, before it is calibrated.
std::vector<double> mixture_probability(const Model& model, std::size_t question, const NewRows& fresh,
                                        const Design& design, ThreadPool& pool) {
  const CellMixture& mixture = model.questions[question].mixture;
  const Applied& inputs = fresh.inputs;
  const Matrix covariates =
      make_covariates(inputs.covariates, inputs.samples(), mixture.intercept, mixture.covariate_precision).values;
  std::vector<double> out(inputs.samples(), 0), sampled = out;
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const Component& component = mixture.components[k];
    if (component.sampled()) {
      const auto probability = draws_probability(mixture, question, component.places, fresh, design, covariates);
      for (std::size_t mu = 0; mu < probability.size(); ++mu) sampled[mu] += component.weight * probability[mu];
      continue;
    }
    const AnyActivation activation = activation_of(mixture, component);
    const auto mean = field_means(design, component.mean, covariates, component.covariate_mean, pool);
    auto variance = field_variances(model.training, mixture, component, fresh, design, covariates, pool);
    if (fresh.partial) add_doubt(model, question, k, *fresh.partial, variance, pool);
    for (std::size_t mu = 0; mu < mean.size(); ++mu)
      out[mu] += component.weight *
                 average_likelihood(activation, mean[mu], std::max(variance[mu], 1e-10 * component.density));
  }
  const std::vector<double> bent =
      bent_probability(model.training, mixture,
                       {inputs, fresh.values, covariates, fresh.partial ? &fresh.partial->doubt() : nullptr}, pool);
  for (std::size_t mu = 0; mu < out.size(); ++mu) {
    out[mu] = mixed_probability(mixture, sampled[mu], out[mu]);
    if (!bent.empty()) out[mu] += mixture.bent.share * (bent[mu] - out[mu]);
    if (!std::isfinite(out[mu]))
      throw InputError(fmt::format(
          "sample {}: no probability, the numbers overflow; a value is far beyond those of the fit, or the model is "
          "damaged",
          mu + 1));
  }
  return out;
}

/// What the fit of all classes at once says of new samples, where it has a share.
std::optional<Matrix> together_of(const Model& model, const NewRows& fresh, const Design& design, ThreadPool& pool) {
  const Calibration& how = model.calibration;
  if (how.together.share == 0) return std::nullopt;
  const Matrix covariates = make_covariates(fresh.inputs.covariates, fresh.inputs.samples(),
                                            model.first_mixture().intercept, covariate_prior_precision)
                                .values;
  return together_probability(how.together, model.class_names.size(), how.joining.floor, design, covariates, pool);
}

Prediction answer(const Model& model, const NewRows& fresh, const Design& design, ThreadPool& pool) {
  const std::size_t samples = fresh.inputs.samples();
  Matrix said(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(model.questions.size()));
  for (std::size_t q = 0; q < model.questions.size(); ++q) {
    const auto p = mixture_probability(model, q, fresh, design, pool);
    said.col(static_cast<Eigen::Index>(q)) = Eigen::Map<const Eigen::VectorXd>(p.data(), said.rows());
  }
  const Matrix probability =
      class_probabilities(model.calibration, said, together_of(model, fresh, design, pool), fresh.inputs.covariates);
  Prediction out;
  out.classes = model.class_names.size();
  out.probabilities.assign(probability.data(), probability.data() + probability.size());
  for (std::size_t mu = 0; mu < samples; ++mu) out.label.push_back(called_class(probability, mu));
  return out;
}

/// What the draws of a question see, before it is scored: some columns as measured, taken before all else is done.
class SeenByDraws {
 public:
  SeenByDraws(const PlaceScores& scores, const Preprocessing& preprocessing, Dataset& data) : scores_(scores) {
    for (const std::uint32_t place : scores_.place)
      if (place < preprocessing.inputs())
        input_.push_back(place);
      else
        measured_input_.push_back(place - static_cast<std::uint32_t>(preprocessing.inputs()));
    if (measured_input_.empty()) return;
    data.features.make_dense();
    measured_ = measured_values(preprocessing, data, measured_input_);
  }

  FeatureMatrix scored(const Applied& inputs) const {
    if (scores_.place.empty()) return {};
    const FeatureMatrix transformed = input_.empty() ? FeatureMatrix() : some_values(inputs, input_);
    FeatureMatrix values(inputs.samples(), scores_.place.size());
    for (std::size_t mu = 0; mu < values.rows; ++mu) {
      float* to = values.row(mu);
      if (transformed.cols > 0) to = std::copy_n(transformed.row(mu), transformed.cols, to);
      if (measured_.cols > 0) std::copy_n(measured_.row(mu), measured_.cols, to);
    }
    return new_scores(scores_.values, values);
  }

 private:
  const PlaceScores& scores_;
  std::vector<std::uint32_t> input_, measured_input_;
  FeatureMatrix measured_;
};

/// Refused, with numbers, where the columns that are there say too little.
void check_explained(const MeasuredPart& measured, double least) {
  if (measured.absent.empty() || measured.explained >= least) return;
  throw InputError(fmt::format(
      "{} of the model's {} features are not in the data, and those that are explain {:.0f} % of what decides over the "
      "training samples, less than {:.0f} %: a prediction would be next to a guess; `least_explained` sets the limit",
      measured.absent.size(), measured.features, 100 * measured.explained, 100 * least));
}

}  // namespace

Prediction predict(const Model& model, Dataset data, const PredictOptions& options) {
  ThreadPool pool(options.threads);
  const std::size_t renamed = match_names(model.preprocessing, data.feature_names, options.match);
  const MissingInputs missing = find_missing(model, data, options.fill_means, pool);
  std::optional<PartialSamples> partial;
  std::vector<bool> ranked_later;
  if (!missing.none()) ranked_later = partial.emplace(model, missing, data.samples(), pool).ranked_later();
  std::vector<SeenByDraws> seen;
  for (const QuestionModel& q : model.questions) seen.emplace_back(q.mixture.place_scores, model.preprocessing, data);
  Applied inputs = apply(model.preprocessing, std::move(data), pool, ranked_later);
  MeasuredPart measured{.features = model.preprocessing.inputs()};
  if (partial) {
    partial->complete(inputs, pool);
    measured = partial->measured();
  } else {
    measured.missing = measured.filled = inputs.missing;
  }
  measured.renamed = renamed;
  check_explained(measured, options.least_explained);
  const auto design = make_design(inputs);
  // Stacked on the training rows, which are dense.
  NewRows fresh{inputs, model.training.values.rows > 0 ? dense_values(inputs) : FeatureMatrix(), {}};
  for (const SeenByDraws& one : seen) fresh.place_scores.push_back(one.scored(inputs));
  for (std::size_t q = 0; partial && q < model.questions.size(); ++q) partial->tell_scores(q, fresh.place_scores[q]);
  fresh.partial = partial ? &*partial : nullptr;
  Prediction out = answer(model, fresh, *design, pool);
  out.measured = std::move(measured);
  return out;
}

Prediction predict(const Model& model, Dataset data, unsigned threads) {
  PredictOptions options;
  options.threads = threads;
  return predict(model, std::move(data), options);
}

}  // namespace cavity
