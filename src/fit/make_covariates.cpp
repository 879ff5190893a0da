#include "fit/make_covariates.hpp"

namespace cavity {

Covariates make_covariates(const FeatureMatrix& encoded, std::size_t samples, bool intercept, double precision) {
  const std::size_t first = intercept ? 1 : 0, count = first + encoded.cols;
  Covariates out{Matrix::Ones(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(count)),
                 std::vector<double>(count, precision)};
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 0; j < encoded.cols; ++j)
      out.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(first + j)) =
          static_cast<double>(encoded.row(mu)[j]);
  return out;
}

}  // namespace cavity
