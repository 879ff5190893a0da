#include "fit/describe_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/mean_error.hpp"
#include "fit/estimate.hpp"
#include "fit/feature_mixture.hpp"

namespace cavity {

namespace {

// Standard errors of a gain of log loss from which on it is shown. Scales have seen the labels.
constexpr double shown_from = 2;
// Nats: a gain that is steady and smaller is the search's for the scales, not the block's.
constexpr double least_gain = 0.01;

using Vector = Eigen::VectorXd;

/// Column b: what the features of block b add to the fit's field, over the training samples; of one question.
Matrix parts_of_field(const FitTable& table, const Answer& answer, ThreadPool& pool) {
  const std::vector<double> mean = mix_features(*table.design, answer).mean;
  const std::vector<std::size_t>& kept = table.blocks->kept;
  Matrix out(static_cast<Eigen::Index>(table.design->samples()), static_cast<Eigen::Index>(kept.size()));
  std::size_t first = 0;
  for (std::size_t b = 0; b < kept.size(); ++b) {
    std::vector<double> own(mean.size(), 0);
    std::copy_n(mean.begin() + static_cast<std::ptrdiff_t>(first), kept[b],
                own.begin() + static_cast<std::ptrdiff_t>(first));
    std::vector<double> field(table.design->samples());
    table.design->times(own, field, pool);
    out.col(static_cast<Eigen::Index>(b)) = Vector::Map(field.data(), out.rows());
    first += kept[b];
  }
  return out.rowwise() - out.colwise().mean();
}

/// Sums over the questions of what the blocks' parts of the field have in common.
Matrix common_parts(const FitTable& table, const std::vector<Answer>& answers, ThreadPool& pool) {
  const auto blocks = static_cast<Eigen::Index>(table.blocks->kept.size());
  Matrix out = Matrix::Zero(blocks, blocks);
  for (const Answer& answer : answers) {
    const Matrix parts = parts_of_field(table, answer, pool);
    out += parts.transpose() * parts;
  }
  return out;
}

void describe_field(const Matrix& common, BlockReport& out) {
  const double all = common.sum();
  const Vector size = common.diagonal().cwiseSqrt();
  for (Eigen::Index b = 0; b < common.rows(); ++b) {
    out.blocks[static_cast<std::size_t>(b)].field_share = all > 0 ? common.row(b).sum() / all : 0;
    for (Eigen::Index c = 0; c < common.cols(); ++c)
      out.redundancy.push_back(size[b] > 0 && size[c] > 0 ? common(b, c) / (size[b] * size[c]) : b == c ? 1 : 0);
  }
}

/// Of samples left out, by some of the blocks.
class Judge {
 public:
  Judge(const FitTable& table, const Calibrated& calibrated, ThreadPool& pool)
      : table_(table), calibrated_(calibrated), pool_(pool) {}

  std::optional<Losses> operator()(const std::vector<std::size_t>& which) const {
    const BlockTable& blocks = *table_.blocks;
    const bool all = which.size() == blocks.kept.size();
    const std::vector<double> scales =
        all ? blocks.log_scales : find_scales_of_some(*blocks.kernels, which, blocks.log_scales, blocks.labels, pool_);
    const auto said = left_out_by_blocks(*blocks.kernels, which, scales, blocks.labels, pool_);
    if (said.empty()) return std::nullopt;
    return losses_of(join_left_out(table_, said, calibrated_.model.class_shift, pool_), table_.samples.classes);
  }

 private:
  const FitTable& table_;
  const Calibrated& calibrated_;
  ThreadPool& pool_;
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

BlockLoss mean_of(const Losses& losses) { return {mean_of(losses.wrong), mean_of(losses.log)}; }

/// Some of the blocks that were judged.
struct Judged {
  std::vector<std::size_t> which;
  Losses losses;

  bool has(std::size_t b) const {
    return std::ranges::any_of(which, [b](std::size_t own) { return own == b; });
  }
};

/// All of them, each alone, all but each; nothing where EP finds no answer of some.
std::vector<Judged> judge_choices(const Judge& judge, std::size_t blocks) {
  std::vector<std::size_t> every(blocks);
  std::iota(every.begin(), every.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> choices = {every};
  for (std::size_t b = 0; b < blocks; ++b) choices.push_back({b});
  for (std::size_t b = 0; b < blocks; ++b) {
    choices.push_back(every);
    choices.back().erase(choices.back().begin() + static_cast<std::ptrdiff_t>(b));
  }
  std::vector<Judged> out;
  for (const auto& which : choices) {
    std::optional<Losses> losses = judge(which);
    if (!losses) return {};
    out.push_back({which, std::move(*losses)});
  }
  return out;
}

/// Where all blocks are shown to be better than every choice without it: what tells alone is not told by more blocks.
bool adds(std::size_t b, const std::vector<Judged>& judged, const SampleGroups* groups) {
  return std::ranges::all_of(judged, [&](const Judged& choice) {
    if (choice.has(b)) return true;
    const Gain gain = gain_of(choice.losses.log, judged.front().losses.log, groups);
    return gain.value > least_gain && gain.value > shown_from * gain.se;
  });
}

void judge_blocks(const FitTable& table, const Calibrated& calibrated, ThreadPool& pool, BlockReport& out) {
  const std::size_t blocks = out.blocks.size();
  const std::vector<Judged> judged = judge_choices(Judge(table, calibrated, pool), blocks);
  if (judged.empty()) return;
  const Losses& all = judged.front().losses;
  for (std::size_t b = 0; b < blocks; ++b) {
    const Losses &alone = judged[1 + b].losses, &without = judged[1 + blocks + b].losses;
    BlockSummary& block = out.blocks[b];
    block.alone = mean_of(alone);
    block.without = mean_of(without);
    const Gain error = gain_of(without.wrong, all.wrong, table.together()),
               log_loss = gain_of(without.log, all.log, table.together());
    block.error_gain = error.value;
    block.error_gain_se = error.se;
    block.log_loss_gain = log_loss.value;
    block.log_loss_gain_se = log_loss.se;
    block.adds = adds(b, judged, table.together());
  }
  out.all = mean_of(all);
  out.judged = true;
}

}  // namespace

std::optional<BlockReport> describe_blocks(const FitTable& table, const std::vector<Answer>& answers,
                                           const Calibrated& calibrated, ThreadPool& pool) {
  if (!table.blocks) return std::nullopt;
  const Preprocessing& p = table.prepared->preprocessing;
  BlockReport out;
  double all = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b)
    all += p.blocks[b].factor * p.blocks[b].factor * static_cast<double>(table.blocks->kept[b]) /
           static_cast<double>(p.kept.size());
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const BlockPreparation& block = p.blocks[b];
    BlockSummary summary;
    summary.name = block.name;
    summary.features = block.features;
    summary.kept = table.blocks->kept[b];
    summary.lacking = table.blocks->lacking[b];
    summary.transform = block.transform;
    summary.scale = block.factor * block.factor / all;
    out.blocks.push_back(std::move(summary));
  }
  describe_field(common_parts(table, answers, pool), out);
  if (table.blocks->kernels) judge_blocks(table, calibrated, pool, out);
  return out;
}

}  // namespace cavity
