#include "infer/kernel_predictive.hpp"

#include <algorithm>

#include "cavity/errors.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

KernelPredictive::KernelPredictive(const Matrix& kernel, const KernelSites& sites, ThreadPool& pool) {
  const Eigen::VectorXd root = Eigen::VectorXd::Map(sites.precision.data(), kernel.rows()).cwiseSqrt(),
                        linear = Eigen::VectorXd::Map(sites.linear.data(), kernel.rows());
  inverse_ = root.asDiagonal() * kernel * root.asDiagonal();
  inverse_.diagonal().array() += 1;
  if (!invert_positive_definite(inverse_, pool))
    throw InputError("the kernel of a bent boundary is no covariance: the model is damaged");
  inverse_ = root.asDiagonal() * inverse_ * root.asDiagonal();
  const Eigen::VectorXd field = kernel * linear;
  weight_ = linear - inverse_ * field;
}

KernelPredictive::KernelPredictive(const KernelFit& fit)
    : inverse_(fit.inverse),
      weight_(Eigen::VectorXd::Map(fit.weight.data(), static_cast<Eigen::Index>(fit.weight.size()))) {}

NewFields KernelPredictive::operator()(const Matrix& cross, const Eigen::VectorXd& own, ThreadPool& pool) const {
  return left_out(cross, own, {}, pool);
}

NewFields KernelPredictive::left_out(const Matrix& cross, const Eigen::VectorXd& own,
                                     std::span<const std::size_t> samples, ThreadPool& pool) const {
  Matrix through = Matrix::Zero(cross.rows(), cross.cols());
  add_product(1, cross, inverse_, through, pool);
  Eigen::VectorXd mean = cross * weight_, variance = own - through.cwiseProduct(cross).rowwise().sum();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i), s = static_cast<Eigen::Index>(samples[i]);
    if (!(inverse_(s, s) > 0)) continue;  // its site says nothing
    mean[row] -= through(row, s) * weight_[s] / inverse_(s, s);
    variance[row] += through(row, s) * through(row, s) / inverse_(s, s);
  }
  NewFields out{{mean.begin(), mean.end()}, {}};
  for (Eigen::Index i = 0; i < own.size(); ++i) out.variance.push_back(std::max(variance[i], 1e-10 * own[i]));
  return out;
}

}  // namespace cavity
