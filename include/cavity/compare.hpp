// Repeated random splits of a data set: every method is tuned on the training part alone and judged on the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cavity/baselines.hpp"
#include "cavity/fit.hpp"

namespace cavity {

/// How one column of the comparison is fitted.
struct CompareMethod {
  std::string name;
  std::optional<Baseline> baseline;  // none: our own classifier
  FitOptions fit;                    // our own
  BaselineOptions baseline_options;  // the baselines'
  std::size_t table = 0;             // which of the tables given to compare() it sees
};

struct MethodSettings {
  bool paper = false;           // every method with the paper's preprocessing, and our own with its grid
  std::vector<double> noise{};  // our own: instead of the grid's values
  bool whiten = false;          // to principal directions, fitted on the training part
};

/// sbc: the paper's algorithm (damped AMP, its grid, the cell of least leave-one-out error) with the paper's
/// preprocessing (centred, rows scaled, no intercept). sbc-ep: what `cavity fit` does with `solver=ep`: its default,
/// but for the sampled cells of few features. sbl, fda, fda-shrunk: the baselines with the default preprocessing.
/// UsageError for another name.
CompareMethod make_compare_method(const std::string& name, const MethodSettings& settings);
PreprocessingOptions paper_preprocessing();
/// The print gives no damping. Of the shares that settle every cell of its grid on its data, a plain one.
inline constexpr double paper_amp_share = 0.15;

/// One method on one split.
struct SplitResult {
  std::size_t split = 0;  // from 1
  std::string method;
  std::size_t test = 0;                // samples
  double error = 0, log_loss = 0;      // on them; a probability of 1/2 counts half an error
  std::string status;                  // of the chosen cell; "failed": no classifier, the commoner class was guessed
  std::size_t cells = 0, settled = 0;  // of the grid, and those that converged
  double density = 0, noise = 0;       // of the chosen (heaviest) cell
  bool operator==(const SplitResult&) const = default;
};

struct CompareOptions {
  std::size_t splits = 200, train = 0;  // train 0: two thirds of the samples
  bool stratified = false;              // the training part has the classes in the proportions of the whole
  std::uint64_t seed = 1;
  unsigned threads = 0;                                             // splits at a time; 0: one a core
  std::vector<std::size_t> skip{};                                  // splits that are done already
  std::function<void(const std::vector<SplitResult>&)> finished{};  // a whole split, in any order, one at a time
};

/// The tables hold the same samples, prepared in different ways. Samples of a group are never in both parts, and sbc-ep
/// leaves groups out together where it chooses. A training part that lacks a class is drawn again, up to 100 times,
/// then UsageError. Results in the order of splits, then of methods; they do not depend on the threads.
std::vector<SplitResult> compare(const std::vector<Dataset>& tables, const std::vector<CompareMethod>& methods,
                                 const CompareOptions& options);
std::size_t training_size(const CompareOptions& options, std::size_t samples);

/// Mean and standard deviation of the error over the splits.
struct MethodSummary {
  std::string method;
  std::size_t splits = 0, unsettled = 0, failed = 0;  // splits; whose chosen cell did not converge; without classifier
  double mean = 0, sd = 0;
};
std::vector<MethodSummary> summarise(const std::vector<SplitResult>& results,
                                     const std::vector<CompareMethod>& methods);

/// Is `first` better than `second`? Splits of the same number are paired in the sign test and treated as independent
/// samples in Welch's.
struct Duel {
  std::string first, second;
  std::size_t wins = 0, ties = 0, losses = 0;          // of the first
  double sign_p = 1;                                   // one-sided: as many wins or more, by a fair coin, without ties
  double welch_t = 0, welch_freedom = 0, welch_p = 1;  // t > 0: the first has the smaller error; two-sided p
};
Duel duel(const std::vector<SplitResult>& results, const std::string& first, const std::string& second);

}  // namespace cavity
