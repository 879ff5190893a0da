// The whole job: a data set in, a classifier with inclusion probabilities and leave-one-out error out.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cavity/accuracy.hpp"
#include "cavity/bent_rule.hpp"
#include "cavity/block_report.hpp"
#include "cavity/dataset.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/model.hpp"
#include "cavity/prediction.hpp"

namespace cavity {

/// One cell that was solved.
struct Cell {
  double density = 0, noise = 0, width = 0;  // width in units of sqrt(density), beside the flips of step
  std::size_t column = 0;                    // of the table of densities by noises and widths
  double kept = 0;                           // features, expected under the prior
  std::string solver;
  std::string status;
  bool usable = false;  // converged: takes part in the choice
  int iterations = 0;
  double residual = 0;
  double loo_error = 0, loo_log_loss = 0;
  double log_evidence = std::numeric_limits<double>::quiet_NaN();
  double weight = 0;      // in the mixture
  bool reliable = true;   // false: cavities so extreme, or so few features, that its leave-one-out is doubtful
  bool by_folds = false;  // its leave-one-out is by solutions without a fifth of the samples, or one group, each
};

/// What pushed each sample to its class, under the mixture, in units of the field's standard deviation:
/// mean field = intercept + sum of its values + rest; above 0 it speaks for the positive class. After whitening, and of
/// baselines, there is only the intercept.
struct Contributions {
  std::vector<std::uint32_t> features;  // positions in the file, the largest contributors over all samples
  FeatureMatrix values;                 // samples x features of the list
  std::vector<double> rest;             // a sample: all other features and covariates together
  double intercept = 0;
};

/// Text and cure name options as errors do (errors.hpp).
struct Warning {
  std::string name, text, cure;
};

/// What a fit has used.
struct Resources {
  std::size_t processes = 1, threads = 1;  // threads of a process
  std::size_t bytes = 0;                   // of features, the process that holds most
  double communication_seconds = 0;        // the process that spent most, waiting for the others included
  std::size_t resumed_cells = 0;           // that came from a checkpoint
};

/// What was fitted.
struct DataSummary {
  std::size_t samples = 0, features = 0;
  std::vector<std::size_t> class_counts;  // a class: its samples
  std::vector<std::string> sample_names;
  std::vector<std::uint32_t> classes;  // a sample
  std::vector<double> class_prior;     // see FitOptions
  std::vector<std::string> groups;     // what each sample belongs to; empty: nothing is known of it
  std::vector<std::string> notes;      // what was read, dropped, imputed, transformed
};

/// How much smaller the figures would be if what chooses and recalibrates had seen the samples that it is judged on.
struct ChoiceOptimism {
  double error = 0, log_loss = 0;
};

/// How wrong the classifier is on samples that it has not seen; an error counts half where the likeliest classes tie.
struct LooEstimate {
  std::vector<double> probability;    // samples x classes; empty: nothing is known
  std::vector<std::uint32_t> called;  // the likeliest class of each, of equal ones the last
  std::vector<bool> reliable;         // a sample
  double error = 0, error_se = 0, log_loss = 0;
  std::optional<ChoiceOptimism> optimism;  // where cells of one question are mixed; the figures are without it
  Interval error_interval{};
  double balanced_accuracy = 0, brier = 0;  // mean of the classes' shares called right; half the mean summed square
  std::vector<std::size_t> confusion;       // classes x classes, samples: rows the truth, columns the likeliest class
  std::size_t folds = 0;                    // 0: leave-one-out; else cross-validation in so many folds (baselines)
  /// Groups of samples, each left out as a whole: then the error's standard error and interval are between groups. 0:
  /// samples are left out one by one.
  std::size_t groups = 0;
};

/// The same by refits with a sample, or a group of samples, left out, against the heaviest cell's cavities.
struct LooCheck {
  std::size_t checked = 0, changed_labels = 0;         // samples that were compared
  std::size_t refits = 0, failed = 0;                  // those that converged, and those that say nothing
  double largest_difference = 0, mean_difference = 0;  // of the probability of the sample's own label
};

/// Do the features add anything to the covariates? The error and log loss of both, and how much smaller those of the
/// fit are, each with its standard error.
struct CovariatesAlone {
  double error = 0, log_loss = 0;
  double error_gain = 0, error_gain_se = 0, log_loss_gain = 0, log_loss_gain_se = 0;
};

/// Of figures of left-out samples over labels dealt by chance: NaN where it is not known.
struct LeftOutSpread {
  double error = std::numeric_limits<double>::quiet_NaN();
  double auc = error, sensitivity = error, specificity = error;  // of two classes
};

/// Do the features tell the classes apart at all? The labels as they are against labels dealt anew, by what all
/// features say together (the log loss of a kernel, left out) and by the one that says most; p is that of the smaller
/// of the two.
struct PermutationFit {
  double p = std::numeric_limits<double>::quiet_NaN();  // NaN: there is none
  double p_together = p, p_strongest = p;
  std::size_t permutations = 0;
  double log_loss = 0, expected_log_loss = 0;  // of the kernel; nats a sample, of several questions their sum
  LeftOutSpread mean, sd;                      // of the kernel's figures under permutation
  std::string why_none;

  bool known() const { return permutations > 0; }
  /// At the usual level. False where it is not known.
  bool shown() const { return p < 0.05; }
  bool not_shown() const { return known() && !shown(); }
};

/// The error against the number of samples: what a kernel of all features has on parts of the table, brought to pass
/// through the fit's own, and on to twice the samples. Intervals of 80 %.
struct ForecastPoint {
  double samples = 0, error = 0, low = 0, high = 0;
};
struct Forecast {
  std::vector<ForecastPoint> points;  // a quarter of the samples, ..., all, ..., twice as many; empty: there is none
  std::string why_none;

  bool known() const { return !points.empty(); }
};

/// Does a bent boundary predict better than a straight one? The log loss and the error of samples left out, and how
/// much smaller those of the bent cells are, each with its standard error.
struct BoundaryFit {
  std::string why_none = "no bent one was tried";  // empty: both were
  double straight_log_loss = 0, bent_log_loss = 0, straight_error = 0, bent_error = 0;
  double log_loss_gain = 0, log_loss_gain_se = 0, error_gain = 0, error_gain_se = 0;
  /// The figures are of kernels of all features alike, with a bend and without one: it gains so little that bent cells
  /// have no part. Else of the bent cells and the straight ones.
  bool of_kernels = false;
  double share = 0;               // of the bent cells in the answer
  double pruned_share = 0;        // of it, of those whose relevances are the features' own
  std::vector<double> relevance;  // a feature of the file, under the pruned cells: its part of all; may be empty
  BentRule rule;                  // what the most relevant of them do there

  bool known() const { return why_none.empty(); }
  /// Beyond two standard errors.
  bool bent_is_better() const { return known() && log_loss_gain > 2 * log_loss_gain_se; }
};

/// What ran, and the reason.
struct SolverUsed {
  std::string name, why;
};

/// A hypothesis of how many features matter, before and after the labels are seen.
struct KeptHypothesis {
  double kept = 0;  // 0: none
  double prior = 0, posterior = 0;
};

/// How many features matter: mean and 95 %.
struct RelevantCount {
  double mean = 0, low = 0, high = 0;
};

/// One class against the others.
struct QuestionFit {
  SolverUsed solver;
  std::vector<Cell> grid;
  std::size_t chosen = 0;          // heaviest or selected cell
  Accuracy accuracy;               // of the class against the others, left out; where there are probabilities
  double error = 0, log_loss = 0;  // the same
  std::optional<LooCheck> loo_check;
  double train_error = 0;
  BoundaryFit boundary;
  Contributions contributions;
  std::vector<KeptHypothesis> hypotheses{};  // what inclusion is an average over; empty: it is the mixture's
  std::optional<RelevantCount> relevant{};   // of that average

  const Cell& chosen_cell() const { return grid[chosen]; }
};

struct Fit {
  Model model;
  DataSummary data;
  std::vector<QuestionFit> questions;  // as those of the model
  LooEstimate loo;
  PermutationFit permutation;
  Forecast forecast;
  std::optional<CovariatesAlone> covariates_alone;  // where there are covariates
  std::optional<BlockReport> blocks;                // where there are several
  std::vector<Warning> warnings;
  Resources resources;

  const SolverUsed& solver() const { return questions.front().solver; }
  /// Whether a cell that converged was found, for every question.
  bool converged() const;
};

/// Takes the data by value: its matrix becomes the working matrix, and a large one is not copied when moved in.
Fit fit(Dataset data, const FitOptions& options = {});

/// The covariates of a question as lines of a feature list, always kept: "age", "sex=m".
std::vector<Feature> covariate_features(const Model& model, std::size_t question = 0);

/// Every feature by the question that includes it most, in the order of the file. That inclusion, max_q rho_q, is the
/// least that the probability of mattering for any question can be, whatever the questions have in common.
struct OverallEstimates {
  std::vector<double> inclusion, weight, sd;
  std::vector<std::uint32_t> of_class;
};
OverallEstimates overall_features(const Model& model);

/// A feature of the file, by its position, as a question sees it.
Feature feature_at(const Model& model, std::size_t question, std::size_t position);
/// As the question that includes it most sees it.
Feature feature_at(const Model& model, const OverallEstimates& overall, std::size_t position);

/// Places by falling value, of equal ones the first first; at most `most` of them.
std::vector<std::size_t> ranked(std::span<const double> values, std::size_t most = SIZE_MAX);

/// Features, most included first: over all questions, or of one.
std::vector<Feature> ranked_features(const Model& model, std::size_t most = SIZE_MAX);
std::vector<Feature> ranked_features_of(const Model& model, std::size_t question, std::size_t most = SIZE_MAX);

/// How many times likelier the labels make it that the feature matters: posterior odds over prior odds; infinite of a
/// certain one. NaN where inclusion is no average over densities.
double bayes_factor(const Model& model, const Feature& feature);

/// Of every list that starts a ranking by falling inclusion: how many of its features are expected to be false ones.
std::vector<double> expected_false(std::span<const double> ranked_inclusion);
/// The longest such list whose expected false fraction is at most `rate`.
std::size_t discoveries(std::span<const double> ranked_inclusion, double rate);
std::size_t discoveries(const std::vector<Feature>& ranked, double rate);

}  // namespace cavity
