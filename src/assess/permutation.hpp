// Do the features tell the classes apart at all? The left-out log loss of the labels as they are against that of labels
// dealt anew (assess/exchange.hpp): where the features have nothing to do with classes and covariates, each is as
// likely to be the smallest, whatever the statistic; this one is assess/one_step.hpp's.
//   p = (1 + number of permuted log losses at most the observed) / (1 + permutations)
// Labels and covariates stay together. What features repeat of them (age, batch) is then almost no news: p < .05 in up
// to .07 of tables whose features and labels share nothing but covariates. So their kernel is first cleared of the
// covariates, K -> R K R, R the projection off them: .02 to .05, and less where covariates are many for the samples
// (.003: 5 for 30), which costs power there.
// Such a kernel hears what many features say together. A class that hangs on few of thousands does not show there (four
// sd apart in one of 12600 on 60 to 102 samples: p < .05 in .03 to .07), so the feature that tells most is asked beside
// it (assess/strongest_feature.hpp). Both are judged on the same dealings, and p is that of the smaller of the two:
// the share of dealings whose smaller one is as small.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "assess/one_step.hpp"
#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "design/design.hpp"

namespace cavity {

struct PermutationInput {
  const Matrix& kernel;      // of the features: samples x samples; its scale does not matter
  const Matrix& covariates;  // samples x any number, the intercept among them
  std::span<const std::uint32_t> classes;
  std::size_t class_count = 2;
  const SampleGroups* groups = nullptr;  // samples that are left out together; none: each alone
  const Design* design = nullptr;        // whose features are asked one by one; none: they are not
};

struct PermutationOptions {
  std::uint64_t seed = 1;
  double operations = 2e10;  // multiply-adds at most: some seconds of a core
};

struct PermutationTest {
  double p = 1;
  double p_together = 1, p_strongest = 1;  // of all features together, and of the one that tells most
  std::size_t permutations = 0;            // 999, or 199, 99, 19 where more would be beyond the operations
  double statistic = 0;                    // log loss of the labels as they are: nats a sample
  double expected = 0;                     // its mean under permutation
  LeftOutFigures mean, sd;                 // of the kernel's other figures under permutation
};

struct PermutationAnswer {
  std::optional<PermutationTest> test;
  std::string reason;  // why there is none
};

/// X X^T/N.
Matrix feature_kernel(const Design& design, ThreadPool& pool);

/// The same bits for any number of threads. std::invalid_argument where sizes do not fit together.
PermutationAnswer permutation_test(const PermutationInput& input, const PermutationOptions& options, ThreadPool& pool);

}  // namespace cavity
