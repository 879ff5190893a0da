#include "infer/kernel_slope.hpp"

#include <cmath>

namespace cavity {

namespace {

double sum_of_products(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

EvidenceSlope::EvidenceSlope(const KernelFit& fit, const KernelParts& parts, const KernelScales& scales)
    : parts_(parts), scales_(scales), slope_(-0.5 * fit.inverse) {
  const Eigen::VectorXd b = Eigen::VectorXd::Map(fit.weight.data(), static_cast<Eigen::Index>(fit.weight.size()));
  slope_.noalias() += 0.5 * b * b.transpose();
}

KernelScales EvidenceSlope::of_scales() const {
  return {scales_.bent * sum_of_products(slope_, parts_.bent),
          scales_.straight * sum_of_products(slope_, parts_.straight),
          scales_.level * sum_of_products(slope_, parts_.level)};
}

double EvidenceSlope::of_length() const {
  // E ln E, which is zero where E has no digits left.
  const Matrix bend = parts_.bent.unaryExpr([](double e) { return e > 0 ? e * std::log(e) : 0; });
  return scales_.bent * sum_of_products(slope_, bend) + scales_.straight * sum_of_products(slope_, parts_.straight);
}

std::vector<double> EvidenceSlope::of_relevance(const Design& design, ThreadPool& pool, Precision precision) const {
  Matrix form = scales_.bent * slope_.cwiseProduct(parts_.bent);
  const Eigen::VectorXd sums = form.rowwise().sum();
  form += scales_.straight * slope_;
  form.diagonal() -= sums;
  std::vector<double> out(design.features());
  design.quadratic(form, out, pool, precision);
  return out;
}

}  // namespace cavity
