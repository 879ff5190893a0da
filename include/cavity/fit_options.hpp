// What can be asked of a fit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cavity/activation.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

enum class Solver { automatic, ep, gamp, amp, bp, gibbs };
/// "auto", "ep", "gamp", "amp", "bp", "gibbs"; UsageError for another name.
Solver parse_solver(const std::string& name);
std::string to_string(Solver solver);
std::vector<std::string> solver_names();

enum class Selection { stack, loo_error, loo_log_loss, evidence };
/// "stack", "loo_error", "loo_log_loss", "evidence"; UsageError for another name.
Selection parse_selection(const std::string& name);
std::string to_string(Selection selection);
std::vector<std::string> selection_names();

/// straight: a weighted sum of features decides. bent: distances to the training samples, by kernels. automatic: both,
/// where bent ones can be had, each by how well it predicts samples left out.
enum class Boundary { automatic, straight, bent };
/// "auto", "straight", "bent"; UsageError for another name.
Boundary parse_boundary(const std::string& name);
std::string to_string(Boundary boundary);
std::vector<std::string> boundary_names();

/// The values of density, noise and width; empty: the default ones. A width softens the boundary of step, in units of
/// the fields' spread sqrt(density); where only the noise is given it is 0.
struct GridOptions {
  std::vector<double> density, noise, width{};
  bool paper = false;    // the default values of the paper instead of the automatic ones
  bool sparsest = true;  // with the default rows of fewer than 12 features, whose places are sampled
};

struct SolverSettings {
  Solver kind = Solver::automatic;
  int max_iterations = 0;  // an update limit a cell; 0: the solver's own
  double tolerance = 1e-6;
  double amp_share = 0;    // amp: the share of each update that is taken, in (0, 1]; 0: adapts
  std::uint64_t seed = 1;  // sampled cells of the default grid, gibbs, check_loo
};

/// From the solved grid to one answer.
struct SelectionOptions {
  Selection by = Selection::stack;
  bool recalibrate = true;    // where the answer is a stack, and where it pays
  std::size_t check_loo = 0;  // refit with this many random samples, or groups, left out, one at a time
};

struct Progress {
  std::size_t cell, cells;  // 1-based
  double density, noise, width;
  double residual;  // of the cell that ended last
};

/// Both may be empty; false stops the fit: Interrupted is thrown.
struct FitObserver {
  std::function<bool(const Progress&)> progress;  // after every cell
  std::function<bool()> keep_going;               // after every update and from any thread
};

/// Where finished cells are kept for a fit that may be stopped.
struct CheckpointOptions {
  std::string file;     // empty: none; with several processes each adds its number
  double minutes = 10;  // written when a cell ends and this long has passed; 0: after every cell
  bool resume = false;  // go on from it; where there is none, start
};

struct FitOptions {
  PreprocessingOptions preprocessing;
  /// Not said: step, whose default columns have flips and a width both where EP solves them; said: step without width.
  std::optional<ActivationKind> activation{};
  /// Share of every class, in their order, where the classifier will be used; positive, sum 1. Empty: as in the data.
  /// Probabilities of new samples and all leave-one-out numbers follow it.
  std::vector<double> class_prior{};
  Boundary boundary = Boundary::automatic;
  bool intercept = true;
  bool keep_variances = true;  // store what the predictive variance of a new sample needs
  GridOptions grid;
  SolverSettings solver;
  SelectionOptions selection;
  unsigned threads = 0;  // 0: one a core
  FitObserver observer;
  CheckpointOptions checkpoint;
};

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// The errors about the checkpoint that can be known before the data are read: a file that is there and is not to be
/// resumed, or is that of several processes (UsageError), one that cannot be written (IoError).
void check_checkpoint(const CheckpointOptions& options);
/// Once the answer of `fit` is in a safe place.
void remove_checkpoint(const CheckpointOptions& options);

}  // namespace cavity
