// Predictions where there may be nothing to find. That no feature matters is as likely as the evidence says
// (fit/evidence_average.hpp), w; then a class is as likely as its frequency q_k = (count_k + 1)/(samples + classes):
//   P(k) -> (1 - w) P(k) + w q_k,
// of samples left out, too: one number of the whole table. Without the sample's own label w and q would tip against it:
// of two classes of one size every sample left out is of the rarer one.
#pragma once

#include <span>

#include "base/matrix.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// Share 0 where it is negligible.
Nothing share_of_nothing(double probability, std::span<const std::size_t> class_counts);

/// Rows: samples; columns: classes.
void mix_nothing(const Nothing& nothing, Matrix& probability);

}  // namespace cavity
