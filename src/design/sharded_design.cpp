#include "design/sharded_design.hpp"

#include <algorithm>
#include <utility>

namespace cavity {

ShardedDesign::ShardedDesign(std::unique_ptr<const Design> mine, std::size_t samples, std::size_t total_features,
                             const Shards& shards)
    : mine_(std::move(mine)),
      rounding_(dynamic_cast<const RoundingDesign*>(mine_.get())),
      samples_(samples),
      total_(total_features),
      shards_(shards),
      even_(shards.all(!mine_ || mine_->even())) {
  if (mine_) check(mine_->samples(), samples, "samples of a part");
}

// A process without features does not know whether the others round: all of them ask for the largest span.
void ShardedDesign::do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool& pool) const {
  const double span = shards_.largest(rounding_ ? rounding_->weight_span(v, pool) : 0);
  if (rounding_)
    rounding_->times_within(span, v, out, pool);
  else if (mine_)
    mine_->times(v, out, pool);
  else
    std::fill(out.begin(), out.end(), 0.0);
  shards_.sum(out);
}

void ShardedDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision,
                                       ThreadPool& pool) const {
  if (mine_) mine_->transpose_times(u, out, pool);
}

void ShardedDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  if (mine_)
    mine_->squared_times(v, out, pool);
  else
    std::fill(out.begin(), out.end(), 0.0);
  shards_.sum(out);
}

void ShardedDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out,
                                               ThreadPool& pool) const {
  if (mine_) mine_->squared_transpose_times(u, out, pool);
}

// The lower triangle alone travels.
void ShardedDesign::do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const {
  const auto m = static_cast<Eigen::Index>(samples_);
  if (mine_)
    mine_->gram(t, out, pool, precision);
  else
    out.setZero(m, m);
  std::vector<double> lower;
  lower.reserve(samples_ * (samples_ + 1) / 2);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) lower.push_back(out(i, j));
  shards_.sum(lower);
  auto at = lower.begin();
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) out(i, j) = out(j, i) = *at++;
}

void ShardedDesign::do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const {
  if (mine_) mine_->quadratic(w, out, pool, precision);
}

void ShardedDesign::columns(std::span<const std::size_t> which, Matrix& out) const {
  if (mine_)
    mine_->columns(which, out);
  else
    out.resize(static_cast<Eigen::Index>(samples_), 0);
}

void columns_anywhere(const Design& design, std::span<const std::size_t> which, Matrix& out) {
  const Shards& shards = design.shards();
  if (shards.alone()) return design.columns(which, out);
  const std::size_t first = shards.place(design.features()).first;
  std::vector<std::size_t> own;
  std::vector<Eigen::Index> places;
  for (std::size_t j = 0; j < which.size(); ++j) {
    if (which[j] < first || which[j] >= first + design.features()) continue;
    own.push_back(which[j] - first);
    places.push_back(static_cast<Eigen::Index>(j));
  }
  Matrix mine;
  design.columns(own, mine);
  out.setZero(static_cast<Eigen::Index>(design.samples()), static_cast<Eigen::Index>(which.size()));
  out(Eigen::all, places) = mine;
  shards.sum({out.data(), static_cast<std::size_t>(out.size())});
}

Matrix join_columns(const Shards& shards, const Matrix& mine) {
  if (shards.alone()) return mine;
  const Matrix turned = mine.transpose();
  const std::vector<double> all = shards.join({turned.data(), static_cast<std::size_t>(turned.size())});
  const auto count = mine.rows() > 0 ? static_cast<Eigen::Index>(all.size()) / mine.rows() : 0;
  return Eigen::Map<const Matrix>(all.data(), count, mine.rows()).transpose();
}

}  // namespace cavity
