#include "sample/place_factors.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cavity {

namespace {

constexpr std::size_t block = 256;  // features at a time: their whitened products stay in the nearest cache

}  // namespace

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
  whitened_.resize(basis.products.size() * block);
  for (std::size_t first = 0; first < model_.features(); first += block)
    compute_block(basis, latent, first, std::min(block, model_.features() - first));
  for (const std::size_t member : places) factor_[member] = -std::numeric_limits<double>::infinity();
  exponentiate(sharpness);
}

// mean_ holds a_l and variance_ c_l until the last loop.
void PlaceFactors::compute_block(const PlaceBasis& basis, const LatentProducts& latent, std::size_t first,
                                 std::size_t count) {
  double *a = &mean_[first], *c = &variance_[first], *factor = &factor_[first];
  std::copy_n(&latent.features[first], count, a);
  std::copy_n(&model_.square[first], count, c);
  for (std::size_t k = 0; k < basis.products.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    double* w = &whitened_[k * block];
    std::copy_n(basis.products[k] + first, count, w);
    for (std::size_t j = 0; j < k; ++j) {
      const double r = basis.root(static_cast<Eigen::Index>(j), column);
      const double* earlier = &whitened_[j * block];
      for (std::size_t l = 0; l < count; ++l) w[l] -= r * earlier[l];
    }
    const double scale = 1 / basis.root(column, column), score = basis.score[column];
    for (std::size_t l = 0; l < count; ++l) {
      w[l] *= scale;
      c[l] -= w[l] * w[l];
      a[l] -= w[l] * score;
    }
  }
  const double slab = model_.slab_variance;
  for (std::size_t l = 0; l < count; ++l) {
    const double variance = slab / (1 + slab * std::max(c[l], 0.0));
    factor[l] = 0.5 * variance * a[l] * a[l];
    a[l] *= variance;
    c[l] = variance;
  }
}

void PlaceFactors::exponentiate(double sharpness) {
  largest_ = *std::max_element(factor_.begin(), factor_.end());
  total_ = 0;
  if (!std::isfinite(largest_)) return;
  const double unit = 1 / model_.slab_variance;
  for (std::size_t b = 0; b < block_total_.size(); ++b) {
    const std::size_t first = b * block, last = std::min(first + block, factor_.size());
    double sum = 0;
    for (std::size_t l = first; l < last; ++l) {
      factor_[l] = std::exp(sharpness * (factor_[l] - largest_)) * std::sqrt(variance_[l] * unit);
      sum += factor_[l];
    }
    block_total_[b] = sum;
    total_ += sum;
  }
}

double PlaceFactors::log_total() const {
  return total_ > 0 ? largest_ + std::log(total_) : -std::numeric_limits<double>::infinity();
}

std::size_t PlaceFactors::pick(Random& random) {
  double left = random.uniform() * total_;
  std::size_t b = 0;
  while (b + 1 < block_total_.size() && left >= block_total_[b]) left -= block_total_[b++];
  const std::size_t last = std::min((b + 1) * block, factor_.size());
  std::size_t chosen = last;  // the last one with a factor, should rounding leave a rest
  for (std::size_t l = b * block; l < last; ++l) {
    if (factor_[l] <= 0) continue;
    chosen = l;
    left -= factor_[l];
    if (left < 0) break;
  }
  return chosen < last ? chosen
                       : static_cast<std::size_t>(std::max_element(factor_.begin(), factor_.end()) - factor_.begin());
}

double PlaceFactors::log_probability(std::size_t feature) const { return std::log(factor_[feature] / total_); }

void PlaceFactors::add_to(PlaceTally& tally) const {
  const double scale = 1 / total_;
  for (std::size_t l = 0; l < factor_.size(); ++l) {
    const double probability = factor_[l] * scale, moment = probability * mean_[l];
    tally.inclusion[l] += probability;
    tally.mean[l] += moment;
    tally.square[l] += moment * mean_[l] + probability * variance_[l];
  }
}

}  // namespace cavity
