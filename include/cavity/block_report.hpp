// What each of several blocks of features says, and what it adds to the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cavity/preprocessing.hpp"

namespace cavity {

/// Of samples left out.
struct BlockLoss {
  double error = 0, log_loss = 0;
};

struct BlockSummary {
  std::string name;
  std::size_t features = 0, kept = 0, lacking = 0;  // lacking: samples without it
  Transform transform = Transform::none;
  double scale = 1;        // prior variance of its features, in units of all features' mean
  double field_share = 0;  // of the variance of the fit's field over the samples, covariances shared evenly
  BlockLoss alone, without;
  double error_gain = 0, error_gain_se = 0;        // of all against all but it, sample by sample
  double log_loss_gain = 0, log_loss_gain_se = 0;  // the same
  bool adds = false;  // shown: better than every choice without it by two standard errors and 0.01 of log loss
};

/// Losses and gains are those of kernels that keep every feature, each with its blocks' own scales by evidence: K =
/// sum_b s_b X_b X_b^T. Shares and redundancy are the fit's own.
struct BlockReport {
  std::vector<BlockSummary> blocks;
  BlockLoss all;
  bool judged = false;             // false: too many samples for the kernels; losses and gains are then not known
  std::vector<double> redundancy;  // blocks x blocks: correlation of their parts of the fit's field
};

}  // namespace cavity
