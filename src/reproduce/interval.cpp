#include "reproduce/interval.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace cavity {

MeanInterval mean_interval(const std::vector<double>& values, double confidence) {
  const auto count = static_cast<double>(values.size());
  MeanInterval out;
  for (const double v : values) out.mean += v / count;
  for (const double v : values) out.sd += (v - out.mean) * (v - out.mean) / (count - 1);
  out.sd = std::sqrt(out.sd);
  const boost::math::students_t law(count - 1);
  out.half_width = boost::math::quantile(law, 0.5 + 0.5 * confidence) * out.sd / std::sqrt(count);
  return out;
}

}  // namespace cavity
