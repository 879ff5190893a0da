#include "design/changing_products.hpp"

#include <cmath>

namespace cavity {

// Processes that hold parts of the features decide alike: their parts are added up.
bool ChangingProducts::gram_changed_little(std::span<const double> t) const {
  if (gram_.size() == 0) return false;
  double sums[3] = {};
  auto& [change, size, exact_parts] = sums;
  for (std::size_t l = 0; l < t.size(); ++l) {
    change += std::abs(t[l] - t_[l]);
    size += std::abs(t[l]);
  }
  exact_parts = t.empty() || design_.rounds(Precision::rough) ? 0 : 1;
  design_.shards().sum(sums);
  return exact_parts == 0 && change < largest_change_ * size;
}

const Matrix& ChangingProducts::gram(std::span<const double> t, Precision anew, ThreadPool& pool) {
  if (gram_changed_little(t)) {
    for (std::size_t l = 0; l < t.size(); ++l) t_[l] = t[l] - t_[l];
    design_.gram(t_, change_, pool, Precision::rough);
    gram_ += change_;
  } else {
    design_.gram(t, gram_, pool, anew);
  }
  t_.assign(t.begin(), t.end());
  return gram_;
}

bool ChangingProducts::forms_changed_little(const Matrix& w) const {
  if (w_.size() == 0 || !design_.rounds(Precision::rough)) return false;
  double change = 0, size = 0;
  for (Eigen::Index i = 0; i < w.rows(); ++i) {
    change += (w.row(i).head(i + 1) - w_.row(i).head(i + 1)).squaredNorm();
    size += w.row(i).head(i + 1).squaredNorm();
  }
  return change < largest_change_ * largest_change_ * size;
}

std::span<double> ChangingProducts::quadratic(const Matrix& w, Precision anew, ThreadPool& pool) {
  if (forms_changed_little(w)) {
    w_ = w - w_;
    std::vector<double> change(forms_.size());
    design_.quadratic(w_, change, pool, Precision::rough);
    for (std::size_t l = 0; l < forms_.size(); ++l) forms_[l] += change[l];
    rounded_ = true;
  } else {
    forms_.resize(design_.features());
    design_.quadratic(w, forms_, pool, anew);
    rounded_ = design_.rounds(anew);
  }
  w_ = w;
  return forms_;
}

}  // namespace cavity
