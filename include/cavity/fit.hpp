// The whole job: a data set in, a classifier with inclusion probabilities and leave-one-out error out.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cavity/accuracy.hpp"
#include "cavity/dataset.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// One point of the density x noise grid.
struct Cell {
  double density = 0, noise = 0, width = 0;  // width in units of sqrt(density), beside the flips of step
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
  std::array<std::size_t, 2> class_counts{};  // negative, positive
  std::vector<std::string> sample_names;
  std::vector<std::int8_t> labels;
  std::vector<std::string> groups;                    // what each sample belongs to; empty: nothing is known of it
  std::vector<std::size_t> counts;                    // more than two classes: samples of each
  std::vector<std::uint32_t> classes;                 // the same: of each sample
  std::vector<double> shares;                         // the same: class_shares of FitOptions
  std::vector<std::string> notes;                     // what was read, dropped, imputed, transformed
  std::optional<std::array<double, 2>> population{};  // see FitOptions
};

/// How much smaller the figures would be if what chooses and recalibrates had seen the samples that it is judged on.
struct ChoiceOptimism {
  double error = 0, log_loss = 0;
};

/// How wrong the classifier is on samples that it has not seen; the error counts a probability of 1/2 as half wrong.
struct LooEstimate {
  std::vector<double> probability;  // of the positive class, a sample
  std::vector<bool> reliable;       // a sample
  double error = 0, error_se = 0, log_loss = 0;
  std::optional<ChoiceOptimism> optimism;  // where cells are mixed; the figures are without it
  Accuracy accuracy;      // from the same probabilities, where there are any; of more than two classes error and brier
  std::size_t folds = 0;  // 0: leave-one-out; else cross-validation in so many folds (baselines)
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

/// What ran, and the reason.
struct SolverUsed {
  std::string name, why;
};

/// Of more than two classes, with each sample left out.
struct SeveralLoo {
  std::vector<double> probability;     // samples x classes
  std::vector<std::size_t> confusion;  // classes x classes, samples: rows the truth, columns the most probable class
};

/// One class against the rest, of a fit of more than two.
struct ClassFit {
  SolverUsed solver;
  std::vector<Cell> grid;
  std::size_t chosen = 0;
  LooEstimate loo;  // of the class against the rest
  std::optional<LooCheck> loo_check;
  double train_error = 0;
  Contributions contributions;
};

/// Of two classes, or of more: then `several` and `per_class` are filled, and `grid`, `chosen`, `contributions`,
/// `loo_check`, `covariates_alone`, `train_error` and the probabilities of `loo` are not.
struct Fit {
  Model model;
  DataSummary data;
  SolverUsed solver;
  std::vector<Cell> grid;
  std::size_t chosen = 0;  // heaviest or selected cell
  LooEstimate loo;
  std::optional<LooCheck> loo_check;
  std::optional<CovariatesAlone> covariates_alone;  // where there are covariates
  double train_error = 0;
  Contributions contributions;
  SeveralLoo several;
  std::vector<ClassFit> per_class;
  std::vector<Warning> warnings;
  Resources resources;

  /// Whether a cell that converged was found; of more than two classes, for each.
  bool converged() const;
};

/// Takes the data by value: its matrix becomes the working matrix, and a large one is not copied when moved in.
Fit fit(Dataset data, const FitOptions& options = {});

struct Prediction {
  std::vector<double> probability;    // of the positive class; of more than two classes that of the label
  std::vector<std::uint32_t> label;   // a position in class_names; of two classes the positive one from 1/2 on
  std::vector<double> probabilities;  // samples x classes, in the order of class_names
};
/// Features are matched by name; those missing are an InputError that lists them.
Prediction predict(const Model& model, Dataset data, unsigned threads = 0);

/// The covariates of a model as lines of a feature list, always kept: "age", "sex=m".
std::vector<Feature> covariate_features(const Model& model);

/// Features, most included first. Of more than two classes by overall inclusion, or that of one class against the rest.
std::vector<Feature> ranked_features(const Model& model);
std::vector<Feature> ranked_features(const Model& model, std::size_t of_class);

/// The most included features of a model of more than two classes, each with the class that it speaks for most: the one
/// of its overall inclusion, weight and sd. Overall inclusion is the largest over the classes, max_k rho_k: the least
/// that the probability of mattering for any class can be, whatever the classes have in common.
struct OverallFeature {
  Feature feature;
  std::uint32_t of_class;
};
std::vector<OverallFeature> ranked_over_classes(const Model& model, std::size_t most);

/// Of every list that starts a ranking by falling inclusion: how many of its features are expected to be false ones.
std::vector<double> expected_false(std::span<const double> ranked_inclusion);
/// The longest such list whose expected false fraction is at most `rate`.
std::size_t discoveries(std::span<const double> ranked_inclusion, double rate);
std::size_t discoveries(const std::vector<Feature>& ranked, double rate);

}  // namespace cavity
