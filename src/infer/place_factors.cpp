#include "infer/place_factors.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/place_kernels.hpp"

namespace cavity {

namespace {

constexpr std::size_t block = 256;  // features whose factors are added up before any are looked at one by one
constexpr std::size_t most_bytes = std::size_t{32} << 20, fewest_columns = 32;

}  // namespace

namespace {

std::size_t pick_one(const std::vector<double>& factor, const std::vector<double>& block_total, double total,
                     Random& random) {
  double left = random.uniform() * total;
  std::size_t b = 0;
  while (b + 1 < block_total.size() && left >= block_total[b]) left -= block_total[b++];
  const std::size_t last = std::min((b + 1) * block, factor.size());
  std::size_t chosen = last;  // the last one with a factor, should rounding leave a rest
  for (std::size_t l = b * block; l < last; ++l) {
    if (factor[l] <= 0) continue;
    chosen = l;
    left -= factor[l];
    if (left < 0) break;
  }
  return chosen < last ? chosen
                       : static_cast<std::size_t>(std::max_element(factor.begin(), factor.end()) - factor.begin());
}

}  // namespace

PlaceProposal::PlaceProposal(std::vector<double> factor, std::vector<double> block_total)
    : factor_(std::move(factor)), block_total_(std::move(block_total)) {
  for (const double part : block_total_) total_ += part;
}

std::size_t PlaceProposal::pick(Random& random) const { return pick_one(factor_, block_total_, total_, random); }

double PlaceProposal::log_probability(std::size_t feature) const { return std::log(factor_[feature] / total_); }

PlaceColumns::PlaceColumns(const Design& design)
    : design_(design),
      most_(std::max(fewest_columns, most_bytes / (sizeof(double) * (design.features() + design.samples())))) {}

Eigen::VectorXd PlaceColumns::values(std::size_t feature) const {
  if (const auto found = columns_.find(feature); found != columns_.end()) return found->second.values;
  Matrix column;
  design_.columns({&feature, 1}, column);
  return column.col(0);
}

void PlaceColumns::fetch(std::size_t feature, const std::vector<std::size_t>& in_use, ThreadPool& pool) {
  if (columns_.contains(feature)) return;
  if (columns_.size() >= most_)
    std::erase_if(columns_, [&](const auto& entry) { return std::ranges::find(in_use, entry.first) == in_use.end(); });
  PlaceColumn column{values(feature), {}};
  column.products.resize(design_.features());
  design_.transpose_times({column.values.data(), design_.samples()}, column.products, pool);
  columns_.emplace(feature, std::move(column));
}

PlaceBasis place_basis(const PlaceModel& model, const PlaceColumns& columns, const std::vector<std::size_t>& places,
                       const LatentProducts* latent) {
  const auto covariates = static_cast<Eigen::Index>(model.precision.size());
  const Eigen::Index size = covariates + static_cast<Eigen::Index>(places.size());
  PlaceBasis out;
  Eigen::MatrixXd gram(size, size);
  gram.topLeftCorner(covariates, covariates) = model.covariate_gram;
  for (Eigen::Index j = 0; j < covariates; ++j) {
    gram(j, j) += model.precision[static_cast<std::size_t>(j)];
    out.products.push_back(model.covariate_products[static_cast<std::size_t>(j)].data());
  }
  for (Eigen::Index k = covariates; k < size; ++k) {
    const std::size_t feature = places[static_cast<std::size_t>(k - covariates)];
    for (Eigen::Index j = 0; j < k; ++j) gram(k, j) = out.products[static_cast<std::size_t>(j)][feature];
    gram(k, k) = model.square[feature] + 1 / model.slab_variance;
    out.products.push_back(columns[feature].products.data());
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);
  out.root = factor.matrixU();
  if (!latent) return out;
  Eigen::VectorXd product(size);
  product.head(covariates) = latent->covariates;
  for (Eigen::Index k = covariates; k < size; ++k)
    product[k] = latent->features[places[static_cast<std::size_t>(k - covariates)]];
  out.score = factor.matrixL().solve(product);
  return out;
}

PlaceFactors::PlaceFactors(const PlaceModel& model)
    : model_(model), block_total_((model.features() + block - 1) / block) {
  for (auto* v : {&mean_, &variance_, &factor_}) v->resize(model.features());
}

void PlaceFactors::compute(const PlaceBasis& basis, const std::vector<std::size_t>& places,
                           const LatentProducts& latent, double sharpness) {
  mean_ = latent.features;
  variance_ = model_.square;
  const kernels::PlaceSet set{basis.products.size(), basis.products.data(), basis.root.data(), basis.score.data(),
                              model_.slab_variance};
  kernels::place_moments(set, mean_, variance_, factor_);
  for (const std::size_t member : places) factor_[member] = -std::numeric_limits<double>::infinity();
  largest_ = *std::max_element(factor_.begin(), factor_.end());
  total_ = 0;
  if (!std::isfinite(largest_)) return;
  for (std::size_t b = 0; b < block_total_.size(); ++b) {
    const std::size_t first = b * block, count = std::min(block, factor_.size() - first);
    block_total_[b] =
        kernels::place_factors(sharpness, largest_, 1 / model_.slab_variance,
                               std::span(variance_).subspan(first, count), std::span(factor_).subspan(first, count));
    total_ += block_total_[b];
  }
}

double PlaceFactors::log_total() const {
  return total_ > 0 ? largest_ + std::log(total_) : -std::numeric_limits<double>::infinity();
}

std::size_t PlaceFactors::pick(Random& random) const { return pick_one(factor_, block_total_, total_, random); }

void PlaceFactors::add_to(PlaceTally& tally, double weight) const {
  const double scale = weight / total_;
  for (std::size_t l = 0; l < factor_.size(); ++l) {
    const double probability = factor_[l] * scale, moment = probability * mean_[l];
    tally.inclusion[l] += probability;
    tally.mean[l] += moment;
    tally.square[l] += moment * mean_[l] + probability * variance_[l];
  }
}

}  // namespace cavity
