#include "fit/evidence_average.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "model/log_sum.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr int most_steps = 100;

using Row = std::vector<std::size_t>;  // positions of its cells

std::map<double, Row> rows_of(std::span<const HypothesisCell> cells) {
  std::map<double, Row> out;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (std::isfinite(cells[k].log_evidence)) out[cells[k].kept].push_back(k);
  return out;
}

std::vector<double> evidences(std::span<const HypothesisCell> cells, const Row& row) {
  std::vector<double> out;
  for (const std::size_t k : row) out.push_back(cells[k].log_evidence);
  return out;
}

/// Of the columns, by the row that has most of them; of equal ones the best.
std::map<std::size_t, double> column_shares(std::span<const HypothesisCell> cells, const std::map<double, Row>& rows) {
  const Row* reference = nullptr;
  for (const auto& entry : rows) {
    const Row& row = entry.second;
    if (cells[row.front()].own_column) continue;
    const auto better = [&](const Row& other) {
      return row.size() != other.size() ? row.size() > other.size()
                                        : log_sum(evidences(cells, row)) > log_sum(evidences(cells, other));
    };
    if (!reference || better(*reference)) reference = &row;
  }
  std::map<std::size_t, double> out;
  if (!reference) return out;
  const std::vector<double> share = normalised_exponentials(evidences(cells, *reference));
  for (std::size_t i = 0; i < share.size(); ++i) out[cells[(*reference)[i]].column] = share[i];
  return out;
}

/// ln of the mean over columns.
double row_evidence(std::span<const HypothesisCell> cells, const Row& row,
                    const std::map<std::size_t, double>& column_share) {
  const double solved = log_sum(evidences(cells, row));
  if (cells[row.front()].own_column) return solved - std::log(static_cast<double>(row.size()));
  double share = 0;
  for (const std::size_t k : row)
    if (const auto found = column_share.find(cells[k].column); found != column_share.end()) share += found->second;
  // A column that the reference row has not: as good as its mean.
  if (share == 0) share = static_cast<double>(row.size()) / static_cast<double>(column_share.size());
  return solved - std::log(static_cast<double>(column_share.size()) * std::min(share, 1.0));
}

/// The smallest count at or below which the number lies with probability `level`.
double quantile(std::span<const CountedCell> cells, double none, double features, double level) {
  const auto below = [&](double count) {
    double out = none;
    for (const CountedCell& c : cells)
      out += c.weight * (c.variance > 0 ? normal_cdf((count + 0.5 - c.mean) / std::sqrt(c.variance))
                                        : static_cast<double>(count + 0.5 >= c.mean));
    return out;
  };
  double low = -1, high = features;
  while (high - low > 1) {
    const double middle = std::floor(0.5 * (low + high));
    (below(middle) < level ? low : high) = middle;
  }
  return high;
}

}  // namespace

EvidenceWeights weigh_by_evidence(std::span<const HypothesisCell> cells, double log_evidence_of_none) {
  const std::map<double, Row> rows = rows_of(cells);
  if (rows.empty()) throw std::invalid_argument("no cell has an evidence");
  const std::map<std::size_t, double> shares = column_shares(cells, rows);
  double all = 0;
  for (const auto& [kept, row] : rows) all += 1 / std::sqrt(kept);
  std::vector<double> prior = {prior_of_none}, log_weight = {std::log(prior_of_none) + log_evidence_of_none};
  for (const auto& [kept, row] : rows) {
    prior.push_back((1 - prior_of_none) / (std::sqrt(kept) * all));
    log_weight.push_back(std::log(prior.back()) + row_evidence(cells, row, shares));
  }
  const std::vector<double> posterior = normalised_exponentials(log_weight);
  EvidenceWeights out{std::vector<double>(cells.size(), 0), {{0, prior_of_none, posterior.front()}}};
  for (const auto& [kept, row] : rows) {
    const double of_row = posterior[out.kept.size()];
    out.kept.push_back({kept, prior[out.kept.size()], of_row});
    const std::vector<double> share = normalised_exponentials(evidences(cells, row));
    for (std::size_t i = 0; i < row.size(); ++i) out.weight[row[i]] = of_row * share[i];
  }
  return out;
}

// Laplace's: ln P = sum ln Phi(u) - gamma.A gamma/2 + ln|A|/2 - ln|A + H|/2 at the mode, which Newton's steps find; the
// posterior of a few numbers from many labels is as good as Gaussian. O(samples covariates^2) a step.
double log_evidence_of_none(const Covariates& covariates, std::span<const std::int8_t> labels) {
  using Vector = Eigen::VectorXd;
  if (covariates.count() == 0) return -std::log(2.0) * static_cast<double>(labels.size());
  const Matrix& z = covariates.values;
  const Vector prior = Vector::Map(covariates.precision.data(), z.cols());
  Vector weights = Vector::Zero(z.cols());
  Eigen::LLT<Matrix> curvature;
  double log_likelihood = 0;
  for (int step = 0; step < most_steps; ++step) {
    Vector gradient = -prior.cwiseProduct(weights);
    Matrix precision = prior.asDiagonal();
    log_likelihood = 0;
    for (Eigen::Index mu = 0; mu < z.rows(); ++mu) {
      const double y = labels[static_cast<std::size_t>(mu)], u = y * z.row(mu).dot(weights);
      const MillsRatio mills = mills_ratio(u);
      log_likelihood += log_normal_cdf(u);
      gradient += y * mills.ratio * z.row(mu).transpose();
      precision.noalias() += mills.ratio * mills.excess * z.row(mu).transpose() * z.row(mu);
    }
    curvature.compute(precision);
    const Vector change = curvature.solve(gradient);
    if (change.norm() < 1e-9 * (1 + weights.norm())) break;
    weights += change / std::max(1.0, change.norm());
  }
  const Matrix root = curvature.matrixL();
  return log_likelihood - 0.5 * weights.dot(prior.cwiseProduct(weights)) +
         (0.5 * prior.array().log() - root.diagonal().array().log()).sum();
}

RelevantCount count_relevant(std::span<const CountedCell> cells, double none, double features) {
  RelevantCount out;
  for (const CountedCell& c : cells) out.mean += c.weight * c.mean;
  out.low = quantile(cells, none, features, 0.025);
  out.high = quantile(cells, none, features, 0.975);
  return out;
}

}  // namespace cavity
