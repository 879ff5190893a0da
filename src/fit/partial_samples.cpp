#include "fit/partial_samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "fit/bent_look.hpp"
#include "fit/make_covariates.hpp"
#include "fit/promise.hpp"
#include "infer/joint_gaussian.hpp"
#include "kernels/matrix_product.hpp"
#include "model/activation_kind.hpp"
#include "prepare/partial_transform.hpp"
#include "prepare/row_blocks.hpp"
#include "prepare/transform.hpp"

namespace cavity {

namespace {

constexpr double most_operations = 2e10;  // multiply-adds for patterns of single samples: some seconds
constexpr std::size_t most_missed = 64;   // training rows that say what is missed, of all patterns of single samples
// Components that count by what they say of samples left out, O(samples^3) a component and a pattern: the others count
// by what they say of their own, which is less sure.
constexpr std::size_t most_left_out = 600;  // samples
constexpr double least_left_out = 0.1;      // weight in a question's answer
// Those that say it of a pattern where a boundary is bent: each is a completion of the sample.
constexpr std::size_t least_completions = 16;
constexpr double hardly_any = 0.02;  // missing features: the sample's own yardstick stands
constexpr std::size_t panel = 1024;  // features

double variance_of(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean) / static_cast<double>(values.size());
  return squares;
}

FeatureMatrix some_rows(const FeatureMatrix& values, const std::vector<std::size_t>& which) {
  FeatureMatrix out(which.size(), values.cols);
  for (std::size_t i = 0; i < out.rows; ++i) std::copy_n(values.row(which[i]), values.cols, out.row(i));
  return out;
}

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

PartialSamples::PartialSamples(const Model& model, const MissingInputs& missing, std::size_t samples, ThreadPool& pool)
    : model_(model),
      samples_(samples),
      training_(view(model.training.values), model.preprocessing.centre, model.preprocessing.scale,
                model.training.row_scale) {
  measured_.features = model.preprocessing.inputs();
  for (const std::uint32_t j : missing.absent)
    measured_.absent.push_back(model.preprocessing.feature_names[model.preprocessing.kept[j]]);
  if (missing.none()) return;
  for (const QuestionModel& q : model.questions) seen_.push_back(see_places(model, q.mixture, training_, pool));
  gather_fields(pool);
  gather_patterns(missing, samples);
}

void PartialSamples::gather_fields(ThreadPool& pool) {
  std::vector<double> field(training_.samples());
  const double root = std::sqrt(static_cast<double>(training_.features()));
  const std::vector<std::uint32_t> classes = truth_of(model_);
  for (std::size_t q = 0; q < model_.questions.size(); ++q) {
    const CellMixture& mixture = model_.questions[q].mixture;
    const double all = 1 / static_cast<double>(model_.questions.size()), share = all * (1 - mixture.bent.share);
    gather_bent_fields(q, all * mixture.bent.share, pool);
    std::vector<std::int8_t> labels;
    for (const std::uint32_t k : classes) labels.push_back(k == model_.of_class(q) ? 1 : -1);
    for (std::size_t k = 0; k < mixture.components.size(); ++k) {
      const Component& c = mixture.components[k];
      if (c.sampled()) continue;
      training_.times(c.mean, field, pool);
      for (double& u : field) u /= root;
      fields_.push_back({q, k, share * c.weight, 0});
      if (labels.size() == field.size() && field.size() <= most_left_out && c.weight >= least_left_out)
        leave_out(mixture, c, labels, field, fields_.back(), pool);
      fields_.back().variance = variance_of(field);
    }
    if (seen_[q].place.empty()) continue;
    const std::vector<double> weights = mean_draw(mixture, seen_[q].place);
    for (std::size_t mu = 0; mu < field.size(); ++mu)
      field[mu] =
          seen_[q].values.row(index(mu)).dot(Eigen::Map<const Eigen::VectorXd>(weights.data(), index(weights.size())));
    fields_.push_back({q, Doubt::whole, share * mixture.sampled_weight(), variance_of(field), weights});
  }
}

void PartialSamples::gather_bent_fields(std::size_t question, double share, ThreadPool& pool) {
  std::vector<double> field(training_.samples());
  for (BentLook& look : bent_looks(model_.questions[question].mixture.bent, training_.features())) {
    training_.times(look.of_input, field, pool);
    const double variance = variance_of(field) / static_cast<double>(training_.features());
    fields_.push_back({question, Doubt::whole, share * look.weight, variance, {}, std::move(look.of_input)});
  }
}

/// Empty where the features are seen by places.
const std::vector<double>& PartialSamples::input_weights(const Field& field) const {
  if (field.component == Doubt::whole) return field.of_input;
  return model_.questions[field.question].mixture.components[field.component].mean;
}

/// `field`: of the features alone, and so it stays when it is that of each sample by the others.
void PartialSamples::leave_out(const CellMixture& mixture, const Component& c, const std::vector<std::int8_t>& labels,
                               std::vector<double>& field, Field& out, ThreadPool& pool) const {
  KeptCell cell{{}, c.sample_precision, make_activation(mixture.activation, c.noise, c.width, c.density)};
  cell.covariate_precision = mixture.covariate_precision / c.density;
  cell.feature_variance = c.variance;
  if (!c.feature_precision.empty())
    for (const double tau : c.feature_precision) cell.feature_variance.push_back(1 / std::max(tau, split_precision));
  if (cell.feature_variance.empty()) cell.feature_variance.assign(training_.features(), c.common_variance);
  const Covariates covariates = make_covariates(model_.training.covariates, field.size(), mixture.intercept, 1);
  std::vector<double> whole = field;
  for (std::size_t mu = 0; mu < field.size(); ++mu)
    for (std::size_t j = 0; j < c.covariate_mean.size(); ++j)
      whole[mu] += c.covariate_mean[j] * covariates.values(index(mu), index(j));
  out.left_out.emplace(training_, covariates, cell, whole, labels, pool);
  for (std::size_t mu = 0; mu < field.size(); ++mu) field[mu] += out.left_out->fields()[mu] - whole[mu];
}

double PartialSamples::operations(std::size_t missing) const {
  const auto m = static_cast<double>(training_.samples());
  const std::size_t there = training_.features() - missing;
  const auto left_out = std::ranges::count_if(fields_, [](const Field& f) { return f.left_out.has_value(); });
  return AbsentRegression::operations(training_.samples()) + m * m * static_cast<double>(std::min(missing, there)) +
         static_cast<double>(left_out) * m * m * (m + static_cast<double>(missing));
}

/// The absent columns first; then those of single samples by how many values they are about, while they are affordable.
/// The values of all others take their means.
void PartialSamples::gather_patterns(const MissingInputs& missing, std::size_t samples) {
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> alike;  // by what they lack beside the absent columns
  for (std::size_t i = 0; i < samples; ++i)
    alike[missing.of_sample.empty() ? std::vector<std::uint32_t>{} : missing.of_sample[i]].push_back(i);
  some_absent_ = !missing.absent.empty();
  if (some_absent_) patterns_.push_back({missing.absent, std::move(alike[{}])});
  alike.erase(std::vector<std::uint32_t>{});
  std::vector<Pattern> own;
  for (auto& [inputs, of] : alike) {
    own.push_back({{}, std::move(of)});
    std::set_union(missing.absent.begin(), missing.absent.end(), inputs.begin(), inputs.end(),
                   std::back_inserter(own.back().missing));
  }
  const auto values = [&](const Pattern& p) { return p.samples.size() * (p.missing.size() - missing.absent.size()); };
  std::ranges::stable_sort(own, std::greater<>(), values);
  double spent = 0;
  for (Pattern& pattern : own) {
    measured_.missing += values(pattern);
    const double cost = operations(pattern.missing.size());
    if (spent + cost <= most_operations && pattern.missing.size() < training_.features()) {
      spent += cost;
      patterns_.push_back(std::move(pattern));
      continue;
    }
    measured_.filled += values(pattern);
    if (some_absent_)
      patterns_.front().samples.insert(patterns_.front().samples.end(), pattern.samples.begin(), pattern.samples.end());
  }
}

PartialSamples::Split PartialSamples::split(const Pattern& pattern) const {
  Split out;
  out.missing.assign(pattern.missing.begin(), pattern.missing.end());
  auto next = out.missing.begin();
  for (std::size_t l = 0; l < training_.features(); ++l)
    if (next != out.missing.end() && *next == l)
      ++next;
    else
      out.there.push_back(l);
  return out;
}

/// Over the features that are there: directly, or what is missing taken off the whole.
Matrix PartialSamples::known_products(const Split& split, ThreadPool& pool) {
  if (split.there.size() <= split.missing.size()) return products_over(training_, training_, split.there, pool);
  if (whole_gram_.size() == 0) {
    std::vector<std::size_t> all(training_.features());
    std::iota(all.begin(), all.end(), std::size_t{0});
    whole_gram_ = products_over(training_, training_, all, pool);
  }
  return whole_gram_ - products_over(training_, training_, split.missing, pool);
}

AbsentRegression::Targets PartialSamples::targets(const Split& split, ThreadPool& pool) const {
  AbsentRegression::Targets out{Matrix::Zero(index(training_.samples()), index(fields_.size())), {}, {}};
  Matrix columns;
  const double root = std::sqrt(static_cast<double>(training_.features()));
  for (std::size_t first = 0; first < split.missing.size(); first += panel) {
    const auto part = std::span(split.missing).subspan(first, std::min(panel, split.missing.size() - first));
    training_.columns(part, columns);
    Matrix weights = Matrix::Zero(index(part.size()), index(fields_.size()));
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const std::vector<double>& mean = input_weights(fields_[f]);
      if (mean.empty()) continue;
      for (std::size_t j = 0; j < part.size(); ++j) weights(index(j), index(f)) = mean[part[j]] / root;
    }
    add_product(1, columns, weights, out.values, pool);
  }
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    const SeenPlaces& seen = seen_[field.question];
    for (std::size_t j = 0; j < field.of_place.size(); ++j)
      if (std::ranges::binary_search(split.missing, std::size_t{seen.input[j]}))
        out.values.col(index(f)) += field.of_place[j] * seen.values.col(index(j));
    const bool known = field.variance > 0;
    out.falls.emplace_back();
    if (field.left_out && known)
      out.falls.back() = field.left_out->falls(training_, split.missing, pool) / std::sqrt(field.variance);
    if (known) out.values.col(index(f)) /= std::sqrt(field.variance);
    out.weight.push_back(known ? field.weight : 0);
  }
  return out;
}

bool PartialSamples::looks_again(const Pattern& pattern) const {
  const Preprocessing& p = model_.preprocessing;
  const double lacking = static_cast<double>(pattern.missing.size()) / static_cast<double>(p.kept.size());
  // Values of a block that is there are ranked among themselves.
  return p.blocks.empty() && looks_at_samples(p.transform) && lacking > hardly_any;
}

std::vector<bool> PartialSamples::ranked_later() const {
  if (model_.preprocessing.transform != Transform::rank || !model_.preprocessing.blocks.empty()) return {};
  std::vector<bool> out(samples_, false);
  for (const Pattern& pattern : patterns_)
    for (const std::size_t i : pattern.samples) out[i] = looks_again(pattern);
  return out;
}

/// What is there to the training samples' yardstick, and rows that each have a length of their own.
void PartialSamples::mend(const Pattern& pattern, const Split& split, FeatureMatrix& rows,
                          std::vector<double>& row_scale, ThreadPool& pool) const {
  const Preprocessing& p = model_.preprocessing;
  if (looks_again(pattern)) {
    const std::vector<std::uint32_t> there(split.there.begin(), split.there.end());
    const PartialTransform transform(p.transform, model_.training.values, there, pool);
    pool.run(row_blocks(rows.rows), [&](std::size_t block) {
      PartialTransform mine = transform;
      for_rows(block, rows.rows, [&](std::size_t i) { mine({rows.row(i), rows.cols}); });
    });
  }
  if (p.row_scale > 0) return;
  // The share of a row's square that stands at these features is that of the training rows.
  std::vector<double> known(p.kept.size(), 1), squares(training_.samples()), own(rows.rows);
  for (const std::uint32_t l : pattern.missing) known[l] = 0;
  training_.squared_times(known, squares, pool);
  const double typical = std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(squares.size());
  const DenseDesign unscaled(view(rows), p.centre, p.scale, std::vector<double>(rows.rows, 1));
  unscaled.squared_times(known, own, pool);
  for (std::size_t i = 0; i < rows.rows; ++i) row_scale[i] = own[i] > 0 ? std::sqrt(typical / own[i]) : 1;
}

void PartialSamples::tell(Pattern& pattern, Inputs& inputs, ThreadPool& pool) {
  const Preprocessing& p = model_.preprocessing;
  const Split at = split(pattern);
  const AbsentRegression::Targets wanted = targets(at, pool);
  const AbsentRegression told(known_products(at, pool), wanted, pool);
  FeatureMatrix& values = inputs.features.dense();
  const bool all =
      pattern.samples.size() == values.rows && std::is_sorted(pattern.samples.begin(), pattern.samples.end());
  FeatureMatrix rows;
  if (all)
    std::swap(rows, values);
  else
    rows = some_rows(values, pattern.samples);
  std::vector<double> row_scale;
  for (const std::size_t mu : pattern.samples) row_scale.push_back(inputs.row_scale[mu]);
  mend(pattern, at, rows, row_scale, pool);
  const DenseDesign fresh(view(rows), p.centre, p.scale, row_scale);
  pattern.combination = told.combination(products_over(fresh, training_, at.there, pool), pool);
  Matrix columns, guess;
  for (std::size_t first = 0; first < at.missing.size(); first += panel) {
    const auto part = std::span(at.missing).subspan(first, std::min(panel, at.missing.size() - first));
    training_.columns(part, columns);
    guess.setZero(index(rows.rows), index(part.size()));
    add_product(1, pattern.combination, columns, guess, pool);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      float* row = rows.row(i);
      const double unit = 1 / row_scale[i];
      for (std::size_t j = 0; j < part.size(); ++j)
        row[part[j]] = static_cast<float>(p.centre[part[j]] + guess(index(i), index(j)) * unit / p.scale[part[j]]);
    }
  }
  Doubt::Pattern doubt;
  doubt_fields(told, wanted, at, doubt, pool);
  add_missed(told, pattern, at, doubt, pool);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::size_t mu = pattern.samples[i];
    inputs.row_scale[mu] = row_scale[i];
    doubt_.pattern_of[mu] = doubt_.patterns.size();
    measured_.sample_explained[mu] = std::clamp(1 - told.missed(), 0.0, 1.0);
  }
  if (all) std::swap(rows, values);
  for (std::size_t i = 0; !all && i < rows.rows; ++i)
    std::copy_n(std::as_const(rows).row(i), rows.cols, values.row(pattern.samples[i]));
  if (some_absent_ && &pattern == &patterns_.front()) measured_.explained = std::clamp(1 - told.missed(), 0.0, 1.0);
  doubt_.patterns.push_back(std::move(doubt));
}

void PartialSamples::doubt_fields(const AbsentRegression& told, const AbsentRegression::Targets& wanted,
                                  const Split& split, Doubt::Pattern& out, ThreadPool& pool) const {
  const Matrix missed = told.left_out(wanted, pool);
  for (const QuestionModel& q : model_.questions) out.field.emplace_back(q.mixture.components.size(), 0.0);
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (const Field& field = fields_[f]; field.component != Doubt::whole)
      out.field[field.question][field.component] = (field.variance > 0 ? field.variance : 1) *
                                                   missed.col(index(f)).squaredNorm() /
                                                   static_cast<double>(missed.rows());
  for (const SeenPlaces& seen : seen_) {
    Matrix absent = seen.values;
    for (std::size_t j = 0; j < seen.input.size(); ++j)
      if (!std::ranges::binary_search(split.missing, std::size_t{seen.input[j]})) absent.col(index(j)).setZero();
    const Matrix off = told.left_out(absent, pool);
    out.places.push_back(off.transpose() * off / static_cast<double>(off.rows()));
  }
}

/// Rows that stand for what is missed: x where something is, the centre elsewhere.
void PartialSamples::add_missed(const AbsentRegression& told, const Pattern& pattern, const Split& split,
                                Doubt::Pattern& out, ThreadPool& pool) {
  const Preprocessing& p = model_.preprocessing;
  const bool absent = some_absent_ && &pattern == &patterns_.front();
  const bool bent =
      std::ranges::any_of(model_.questions, [](const QuestionModel& q) { return q.mixture.bent.share > 0; });
  const std::size_t patterns = patterns_.size();  // of very many each has fewer
  const std::size_t least =
      bent ? std::clamp<std::size_t>(most_missed * most_missed / patterns, 1, least_completions) : 1;
  const std::size_t share = absent ? most_missed : std::max(least, most_missed / patterns);
  const std::size_t count = std::min(share, training_.samples());
  std::vector<Eigen::Index> samples;
  for (std::size_t i = 0; i < count; ++i)  // of few other ones for every pattern
    samples.push_back(index((i * training_.samples() / count + doubt_.patterns.size()) % training_.samples()));
  out.first_missed = missed_.rows;
  out.missed = count;
  missed_.cols = p.kept.size();
  missed_.rows += count;
  for (std::size_t i = 0; i < count; ++i)
    for (const double centre : p.centre) missed_.values.push_back(static_cast<float>(centre));
  Matrix columns;
  for (std::size_t first = 0; first < split.missing.size(); first += panel) {
    const auto part = std::span(split.missing).subspan(first, std::min(panel, split.missing.size() - first));
    training_.columns(part, columns);
    const Matrix off = told.left_out(columns, samples, pool);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < part.size(); ++j)
        missed_.row(out.first_missed + i)[part[j]] =
            static_cast<float>(p.centre[part[j]] + off(index(i), index(j)) / p.scale[part[j]]);
  }
}

void PartialSamples::complete(Inputs& inputs, ThreadPool& pool) {
  doubt_.pattern_of.assign(inputs.samples(), Doubt::whole);
  measured_.sample_explained.assign(inputs.samples(), 1);
  inputs.features.dense().own();
  for (Pattern& pattern : patterns_) tell(pattern, inputs, pool);
  doubt_.missed.columns = inputs.columns;
  doubt_.missed.row_scale.assign(missed_.rows, 1);
  doubt_.missed.features = std::move(missed_);
}

void PartialSamples::tell_scores(std::size_t question, FeatureMatrix& scores) const {
  const SeenPlaces& seen = seen_[question];
  if (scores.cols == 0) return;
  for (const Pattern& pattern : patterns_)
    for (std::size_t j = 0; j < seen.place.size(); ++j) {
      if (!std::ranges::binary_search(pattern.missing, seen.input[j])) continue;
      const Eigen::VectorXd told = pattern.combination * seen.values.col(index(j));
      for (std::size_t i = 0; i < pattern.samples.size(); ++i)
        scores.row(pattern.samples[i])[j] = static_cast<float>(told[index(i)]);
    }
}

}  // namespace cavity
