// Predictions where there may be nothing to find. That no feature matters is as likely as the evidence says
// (fit/evidence_average.hpp), w; then a class is as likely as its frequency q_k = (count_k + 1)/(samples + classes):
//   P(k) -> (1 - w) P(k) + w q_k,
// of samples left out, too: one number of the whole table. Without the sample's own label w and q would tip against it:
// of two classes of one size every sample left out is of the rarer one. Where there are covariates q is what they say
// without features: q = softmax_k(w_0k + z . w_k), w_0 and w ~ N(0, 2.5^2), at its mode. Of a sample left out
// it is by one step of Newton without it and its group (fit/multinomial.hpp), with as common classes as in all:
//   q_k ~ softmax_k(field without them) count_k/(count_k without them).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// Share 0 where it is negligible.
Nothing share_of_nothing(double probability, std::span<const std::size_t> class_counts);

struct KnownBeside {
  const FeatureMatrix& covariates;  // encoded, a row a sample
  std::span<const std::uint32_t> classes;
  const SampleGroups* groups;  // left out together; none: each alone
};
struct NothingSaid {
  Nothing model{};
  Matrix left_out{};  // samples x classes: q
};
/// The same with what it says of samples left out; nothing of these where the share is 0.
NothingSaid nothing_said(double probability, std::span<const std::size_t> class_counts, const KnownBeside& known,
                         ThreadPool& pool);

/// q of new samples. `covariates`: encoded, a row a sample.
Matrix where_nothing_matters(const Nothing& nothing, const FeatureMatrix& covariates, std::size_t samples);

/// Rows: samples; columns: classes. `otherwise`: q.
void mix_nothing(double share, const Matrix& otherwise, Matrix& probability);

}  // namespace cavity
