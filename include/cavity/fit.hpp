// The whole job: a data set in, a classifier with inclusion probabilities and leave-one-out error out.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/activation.hpp"
#include "cavity/dataset.hpp"
#include "cavity/model.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

class Shards;

enum class Solver { automatic, ep, amp, bp, gibbs };
enum class Selection { stack, loo_error, loo_log_loss, evidence };

struct Progress {
  std::size_t cell, cells;  // 1-based
  double density, noise;
  double residual;  // of the cell that ended last
};

/// Where finished cells are kept for a fit that may be stopped.
struct CheckpointOptions {
  std::string file;     // empty: none; with several processes each adds its number
  double minutes = 10;  // written when a cell ends and this long has passed; 0: after every cell
  bool resume = false;  // go on from it; where there is none, start
};

struct FitOptions {
  Solver solver = Solver::automatic;
  ActivationKind activation = ActivationKind::step;
  std::vector<double> density, noise;  // grid values; empty: the default grid
  bool paper_grid = false;             // default grid of the paper instead of the automatic one
  Selection selection = Selection::stack;
  bool recalibrate = true;
  PreprocessingOptions preprocessing;
  bool intercept = true;
  bool keep_variances = true;  // store what the predictive variance of a new sample needs
  int max_iterations = 0;      // an update limit a cell; 0: the solver's own
  double tolerance = 1e-6;
  double amp_share = 0;                           // amp: the share of each update that is taken, in (0, 1]; 0: adapts
  unsigned threads = 0;                           // 0: one a core
  std::uint64_t seed = 1;                         // gibbs, check_loo
  std::size_t check_loo = 0;                      // refit with this many random samples left out, one at a time
  std::function<bool(const Progress&)> progress;  // return false to stop: Interrupted is thrown
  std::function<bool()> keep_going;               // the same, asked after every update and from any thread
  const Shards* shards = nullptr;                 // other processes that hold features, too; none: this one has all
  CheckpointOptions checkpoint;
};

/// One point of the density x noise grid.
struct Cell {
  double density = 0, noise = 0;
  std::string status;
  bool usable = false;  // converged: takes part in the choice
  int iterations = 0;
  double residual = 0;
  double loo_error = 0, loo_log_loss = 0;
  double log_evidence = std::numeric_limits<double>::quiet_NaN();
  double weight = 0;     // in the mixture
  bool reliable = true;  // false: cavities so extreme, or so few features, that its leave-one-out is doubtful
};

/// What pushed each sample to its class, under the mixture, in units of the field's standard deviation:
/// mean field = intercept + sum of its values + rest; above 0 it speaks for the positive class.
struct Contributions {
  std::vector<std::uint32_t> features;  // positions in the file, the largest contributors over all samples
  FeatureMatrix values;                 // samples x features of the list
  std::vector<double> rest;             // a sample: all other features and covariates together
  double intercept = 0;
};

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

struct Fit {
  Model model;
  std::size_t samples = 0, features = 0;
  std::array<std::size_t, 2> class_counts{};  // negative, positive
  std::string solver, why;                    // what ran, and the reason
  std::vector<Cell> grid;
  std::size_t chosen = 0;  // heaviest or selected cell
  std::size_t folds = 0;   // 0: loo_* is leave-one-out; else cross-validation in so many folds (baselines)
  double loo_error = 0, loo_error_se = 0, loo_log_loss = 0, train_error = 0;
  std::vector<double> loo_probability;  // of the positive class, a sample
  std::vector<bool> loo_reliable;       // a sample
  Contributions contributions;          // empty after whitening
  std::vector<std::string> sample_names;
  std::vector<std::int8_t> labels;
  double intercept = 0;
  std::vector<std::string> notes;  // what was read, dropped, imputed, transformed
  std::vector<Warning> warnings;
  std::size_t loo_checked = 0, loo_changed_labels = 0;
  double loo_largest_difference = 0, loo_mean_difference = 0;
  Resources resources;
};

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Takes the data by value: its matrix becomes the working matrix, and a large one is not copied when moved in.
Fit fit(Dataset data, const FitOptions& options = {});

/// The errors about the checkpoint that can be known before the data are read: a file that is there and is not to be
/// resumed, or is that of another number of processes (UsageError), one that cannot be written (IoError).
void check_checkpoint(const FitOptions& options);
/// Once the answer of `fit` is in a safe place. All processes call it, and none removes its part before all have.
void remove_checkpoint(const FitOptions& options);

struct Prediction {
  std::vector<double> probability;  // of the positive class
};
/// Features are matched by name; those missing are an InputError that lists them.
Prediction predict(const Model& model, Dataset data, unsigned threads = 0);

/// Features, most included first.
std::vector<Feature> ranked_features(const Model& model);
/// The largest set (a prefix of the ranking) whose expected false fraction is at most `rate`.
std::size_t discoveries(const std::vector<Feature>& ranked, double rate);

}  // namespace cavity
