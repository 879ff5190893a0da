// From the answers of the questions and their calibration to all that is printed, drawn or stored.
#include "fit/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assess/class_weights.hpp"
#include "assess/covariates_alone.hpp"
#include "assess/mean_error.hpp"
#include "assess/twins.hpp"
#include "file/messages.hpp"
#include "fit/bent_rule.hpp"
#include "fit/check_loo.hpp"
#include "fit/credible.hpp"
#include "fit/describe_bent.hpp"
#include "fit/describe_blocks.hpp"
#include "fit/describe_features.hpp"
#include "fit/describe_forecast.hpp"
#include "fit/describe_marginals.hpp"
#include "fit/describe_permutation.hpp"
#include "fit/estimate.hpp"
#include "fit/feature_mixture.hpp"
#include "fit/fit_warnings.hpp"
#include "fit/know_dependence.hpp"
#include "fit/make_covariates.hpp"
#include "fit/training_rows.hpp"
#include "model/score.hpp"
#include "prepare/make_design.hpp"
#include "search/search.hpp"

namespace cavity {

namespace {

std::vector<Cell> describe_cells(const FitTable& table, const Answer& a) {
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const SolvedCell& c = a.cell(k);
    Cell cell;
    cell.density = c.where.density;
    cell.noise = c.where.noise;
    cell.width = c.where.width;
    cell.column = c.column;
    cell.kept = c.kept(table.prepared->inputs());
    cell.solver = to_string(c.by);
    cell.status = to_string(c.status);
    cell.usable = usable(c.status);
    cell.iterations = c.posterior->iterations;
    cell.residual = c.posterior->residual;
    cell.loo_error = c.left_out.error;
    cell.loo_log_loss = c.left_out.log_loss;
    if (cell.usable) cell.log_evidence = c.posterior->log_evidence;
    cell.weight = a.weight(k);
    cell.by_folds = c.by_folds();
    cell.reliable = c.reliable(table.prepared->inputs());
    cells.push_back(cell);
  }
  return cells;
}

std::vector<Component> describe_components(const FitTable& table, const Answer& a, bool with_sites) {
  const Shards& shards = table.design->shards();
  std::vector<Component> out;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a.weight(k) == 0) continue;
    const SolvedCell& cell = a.cell(k);
    const Posterior& p = *cell.posterior;
    Component c;
    c.density = cell.where.density;
    c.noise = cell.where.noise;
    c.width = cell.where.width;
    c.weight = a.weight(k);
    c.mean = shards.join(p.mean);
    c.covariate_mean = p.covariate_mean;
    c.common_variance = p.common_field_variance;
    if (cell.by == Method::gamp) {
      c.variance = shards.join(p.variance);
      c.covariate_variance = p.covariate_variance;
    }
    if (cell.draws) c.places = *cell.draws;
    if (with_sites) {
      c.feature_precision = shards.join(p.feature_site_precision);
      c.sample_precision = p.sample_site_precision;
    }
    out.push_back(std::move(c));
  }
  return out;
}

PlaceScores describe_place_scores(const Prepared& prepared, const Answer& a, const std::vector<Component>& components) {
  PlaceScores out;
  if (!a.cells.place_inputs) return out;
  for (const Component& c : components) out.place.insert(out.place.end(), c.places.place.begin(), c.places.place.end());
  std::ranges::sort(out.place);
  out.place.erase(std::unique(out.place.begin(), out.place.end()), out.place.end());
  const std::size_t inputs = prepared.inputs();
  for (const std::uint32_t place : out.place) {
    const FeatureMatrix& values = place < inputs ? prepared.features.dense() : prepared.measured;
    const auto first = static_cast<std::ptrdiff_t>(out.values.size());
    for (std::size_t mu = 0; mu < values.rows; ++mu) out.values.push_back(values.row(mu)[place % inputs]);
    std::sort(out.values.begin() + first, out.values.end());
  }
  return out;
}

CellMixture describe_mixture(const FitTable& table, const Answer& a, bool with_sites) {
  CellMixture out;
  out.activation = a.activation;
  out.intercept = table.has_intercept();
  out.covariate_precision = covariate_prior_precision;
  out.components = describe_components(table, a, with_sites);
  out.place_scores = describe_place_scores(*table.prepared, a, out.components);
  out.part_recalibration = a.mixed.part_recalibration;
  out.bent = describe_bent_mixture(a.bent);
  return out;
}

double mixed_train_error(const Answer& a) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a.weight(k) > 0) out += a.weight(k) * a.cell(k).posterior->train_error;
  return out;
}

/// The heaviest, of those whose leave-one-out is not that of folds already; where these carry all weight, the best.
std::size_t cell_to_check(const Answer& a) {
  std::size_t out = 0;
  const auto better = [&](std::size_t k) {
    const SolvedCell &p = a.cell(k), &q = a.cell(out);
    if (a.weight(k) != a.weight(out)) return a.weight(k) > a.weight(out);
    if (usable(p.status) != usable(q.status)) return usable(p.status);
    return usable(p.status) && p.left_out.log_loss < q.left_out.log_loss;
  };
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!a.cell(k).sampled() && better(k)) out = k;
  return out;
}

std::optional<LooCheck> describe_check(const FitTable& table, const Answer& a, const FitOptions& options,
                                       ThreadPool& pool) {
  if (options.selection.check_loo == 0) return std::nullopt;
  return check_loo(table.problem(a.labels, options), a.cell(cell_to_check(a)), make_run(a.cells.solver, options),
                   options.selection.check_loo, pool);
}

bool keeps_training(const FitTable& table, const Answer& a, const FitOptions& options) {
  return a.cells.solver == Solver::ep && options.keep_variances && a.labels.size() <= most_ep_samples &&
         storable(*table.prepared);
}

/// What the fit and the model say of one question.
struct Described {
  QuestionFit fit;
  QuestionModel model;
};

Described describe_question(const FitTable& table, const Answer& a, const FitOptions& options, ThreadPool& pool) {
  Described out;
  out.fit.solver = {to_string(a.cells.solver), a.cells.why};
  out.fit.grid = describe_cells(table, a);
  out.fit.chosen = a.mixed.heaviest;
  out.fit.train_error = mixed_train_error(a);
  out.fit.boundary = a.bent.boundary;
  out.fit.loo_check = describe_check(table, a, options, pool);
  out.model.mixture = describe_mixture(table, a, keeps_training(table, a, options));
  out.fit.boundary.relevance = bent_relevance(table.prepared->preprocessing, out.model.mixture.bent);
  const FeatureMixture mixture = mix_features(*table.design, a);
  const Prepared& prepared = *table.prepared;
  out.model.features =
      describe_features(prepared.preprocessing, prepared.row_scale, {mixture.mean, mixture.sd, mixture.inclusion});
  if (a.average.known() && prepared.preprocessing.directions == 0) {
    out.model.features.average = a.average.summary;
    out.fit.hypotheses = a.average.hypotheses;
    out.fit.relevant = a.average.relevant;
  }
  out.model.features.credible_sets = describe_credible_sets(table, a, out.model.features.inclusion, pool);
  out.model.covariates = describe_covariates(table, a);
  out.fit.contributions = describe_contributions(table, a, mixture, pool);
  return out;
}

/// Of the class against the others, from the probabilities of all.
void judge_question(const Matrix& left_out, const FitTable& table, const Answer& a, const std::vector<double>& shares,
                    QuestionFit& out) {
  std::vector<double> probability;
  for (Eigen::Index mu = 0; mu < left_out.rows(); ++mu) probability.push_back(left_out(mu, a.of_class));
  const std::vector<double> weights = class_weights(table.samples.classes, shares);
  for (std::size_t mu = 0; mu < weights.size(); ++mu) {
    const double own = a.labels[mu] > 0 ? probability[mu] : 1 - probability[mu];
    out.error += weights[mu] * wrong_label(own);
    out.log_loss += weights[mu] * log_loss(own);
  }
  out.accuracy =
      measure_accuracy(probability, a.labels, weights,
                       table.groups ? std::span<const std::size_t>(table.groups->of) : std::span<const std::size_t>());
}

/// A sample's own question tells; the only one of all.
std::vector<bool> reliable_samples(const std::vector<Answer>& answers, const std::vector<std::uint32_t>& classes) {
  std::vector<bool> out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu)
    out.push_back(answers[answers.size() == 1 ? 0 : classes[mu]].mixed.loo_reliable[mu]);
  return out;
}

LooEstimate describe_leave_one_out(const FitTable& table, const std::vector<Answer>& answers,
                                   const Calibrated& calibrated, const FitOptions& options) {
  const auto of = [&](const Matrix& probability) {
    return estimate(probability, table.samples, options.class_prior, table.together());
  };
  LooEstimate out = of(calibrated.left_out);
  out.reliable = reliable_samples(answers, table.samples.classes);
  if (!calibrated.flattered) return out;
  const LooEstimate seen = of(*calibrated.flattered);
  out.optimism = {out.error - seen.error, out.log_loss - seen.log_loss};
  return out;
}

std::optional<CovariatesAlone> describe_covariates_alone(const FitTable& table, const std::vector<Answer>& answers,
                                                         const Calibrated& calibrated, ThreadPool& pool) {
  if (table.prepared->covariates.cols == 0) return std::nullopt;
  std::vector<std::vector<double>> said;
  for (const Answer& a : answers)
    said.push_back(leave_out_covariates(table.prepared->covariates, a.labels, table.together(), pool));
  const Losses alone = losses_of(join_left_out(table, said, calibrated.model.class_shift, pool), table.samples.classes),
               both = losses_of(calibrated.left_out, table.samples.classes);
  CovariatesAlone out;
  const auto samples = static_cast<double>(alone.log.size());
  for (std::size_t mu = 0; mu < alone.log.size(); ++mu) {
    out.error += alone.wrong[mu] / samples;
    out.log_loss += alone.log[mu] / samples;
  }
  const Gain error = gain_of(alone.wrong, both.wrong, table.together()),
             logs = gain_of(alone.log, both.log, table.together());
  out.error_gain = error.value;
  out.error_gain_se = error.se;
  out.log_loss_gain = logs.value;
  out.log_loss_gain_se = logs.se;
  return out;
}

/// By the question that includes each feature most.
std::vector<std::vector<std::uint32_t>> describe_correlated(const FitTable& table, const Model& model,
                                                            ThreadPool& pool) {
  const Preprocessing& preprocessing = table.prepared->preprocessing;
  if (preprocessing.directions > 0) return {};
  const std::vector<double> all = overall_features(model).inclusion;
  std::vector<double> inclusion;
  for (const std::uint32_t l : preprocessing.kept) inclusion.push_back(all[l]);
  auto out = correlated_groups(*table.design, inclusion, pool);
  for (auto& set : out)
    for (auto& l : set) l = preprocessing.kept[l];
  return out;
}

/// Says in the notes what is left out together.
std::string groups_note(const SampleGroups& groups, const std::vector<std::string>& names) {
  const auto alone = std::ranges::count(names, std::string());
  std::string note = fmt::format("groups: {} of {}, the largest of {}; each is left out as a whole", groups.count(),
                                 counted(groups.of.size(), "sample"), counted(groups.largest(), "sample"));
  if (alone > 0)
    note += fmt::format("; {} without a group, each by itself", counted(static_cast<std::size_t>(alone), "sample"));
  return note;
}

Resources describe_resources(const FitTable& table, const std::vector<Answer>& answers, const ThreadPool& pool) {
  const Shards& shards = table.design->shards();
  const auto bytes = static_cast<double>(feature_bytes(*table.prepared, shards));
  Resources out{shards.ranks(), pool.size(), static_cast<std::size_t>(shards.largest(bytes)),
                shards.largest(shards.seconds()), 0};
  for (const Answer& a : answers) out.resumed_cells += a.cells.resumed;
  return out;
}

/// The questions, and pairs of samples that are nearly the same.
std::vector<Twins> describe_questions(const FitTable& table, const std::vector<Answer>& answers,
                                      const FitOptions& options, ThreadPool& pool, Fit& out) {
  std::vector<Described> described(answers.size());
  std::vector<Twins> twins;
  const auto part = [&](std::size_t k) {
    if (k < answers.size())
      described[k] = describe_question(table, answers[k], options, pool);
    else if (table.design->samples() <= most_ep_samples)
      twins = find_twins(*table.design, table.prepared->inputs(), pool);
  };
  ThreadPool in_turn(1);  // other processes meet in the same order
  (table.design->shards().alone() ? pool : in_turn).run(answers.size() + 1, part);
  for (Described& one : described) {
    out.questions.push_back(std::move(one.fit));
    out.model.questions.push_back(std::move(one.model));
  }
  return twins;
}

}  // namespace

DataSummary describe_data(const Labelled& data, const Prepared& prepared) {
  DataSummary out;
  out.samples = prepared.samples();
  out.features = prepared.preprocessing.feature_names.size();
  out.class_counts = data.counts;
  out.sample_names = data.sample_names;
  out.classes = data.classes;
  out.groups = data.groups;
  out.notes = data.notes;
  out.notes.insert(out.notes.end(), prepared.notes.begin(), prepared.notes.end());
  return out;
}

Fit describe(const FitTable& table, const std::vector<Answer>& answers, const Calibrated& calibrated,
             const FitOptions& options, ThreadPool& pool) {
  Fit out;
  const std::vector<Twins> twins = describe_questions(table, answers, options, pool, out);
  out.data = describe_data(table.samples, *table.prepared);
  out.data.class_prior = options.class_prior;
  out.model.class_names = table.samples.class_names;
  out.model.label_name = table.samples.label_name;
  out.model.id_name = table.samples.id_name;
  out.model.preprocessing = table.prepared->preprocessing;
  out.model.calibration = calibrated.model;
  out.model.correlated = describe_correlated(table, out.model, pool);
  describe_marginals(table, pool, out.model);
  out.loo = describe_leave_one_out(table, answers, calibrated, options);
  for (std::size_t q = 0; q < answers.size(); ++q)
    judge_question(calibrated.left_out, table, answers[q], options.class_prior, out.questions[q]);
  out.covariates_alone = describe_covariates_alone(table, answers, calibrated, pool);
  out.blocks = describe_blocks(table, answers, calibrated, pool);
  const TableKernel kernel = table_kernel(table, pool);
  out.permutation = describe_permutation(table, answers, kernel, options, pool);
  if (out.permutation.known()) out.model.tested = {out.permutation.p, out.permutation.permutations};
  know_dependence(out);
  out.forecast = describe_forecast(table, kernel, out, options, pool);
  const auto sites = [&](const Answer& a) { return keeps_training(table, a, options); };
  const bool tells = options.keep_variances && tells_absent(*table.prepared);
  if (tells || std::ranges::any_of(answers, sites))
    out.model.training = training_rows(*table.prepared, table.design->shards());
  for (std::size_t q = 0; q < answers.size(); ++q) out.questions[q].boundary.rule = bent_rule(out.model, q, pool);
  out.resources = describe_resources(table, answers, pool);
  out.warnings = fit_warnings(out, answers, table.samples, twins);
  if (table.groups) out.data.notes.push_back(groups_note(*table.groups, table.samples.groups));
  return out;
}

}  // namespace cavity
