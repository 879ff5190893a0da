#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

#include "cavity/compare.hpp"

namespace cavity {

namespace {

struct Moments {
  double count = 0, mean = 0, square = 0;  // square: sum of squared deviations
  void add(double x) {
    const double before = x - mean;
    mean += before / ++count;
    square += before * (x - mean);
  }
  double variance() const { return count > 1 ? square / (count - 1) : 0; }
};

void welch(const Moments& first, const Moments& second, Duel& out) {
  const double a = first.variance() / first.count, b = second.variance() / second.count;
  if (first.count < 2 || second.count < 2 || a + b == 0) return;
  out.welch_t = (second.mean - first.mean) / std::sqrt(a + b);
  out.welch_freedom = (a + b) * (a + b) / (a * a / (first.count - 1) + b * b / (second.count - 1));
  const boost::math::students_t law(out.welch_freedom);
  out.welch_p = 2 * boost::math::cdf(boost::math::complement(law, std::abs(out.welch_t)));
}

// P(at least `wins` heads in wins + losses throws of a fair coin).
double sign_test(std::size_t wins, std::size_t losses) {
  if (wins == 0) return 1;
  const boost::math::binomial law(static_cast<double>(wins + losses), 0.5);
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(wins) - 1));
}

}  // namespace

std::vector<MethodSummary> summarise(const std::vector<SplitResult>& results,
                                     const std::vector<CompareMethod>& methods) {
  std::vector<MethodSummary> out;
  for (const CompareMethod& method : methods) {
    MethodSummary row;
    row.method = method.name;
    Moments error;
    for (const SplitResult& r : results) {
      if (r.method != method.name) continue;
      error.add(r.error);
      row.failed += r.status == "failed";
      row.unsettled += r.status != "failed" && r.status != "converged";
    }
    row.splits = static_cast<std::size_t>(error.count);
    row.mean = error.mean;
    row.sd = std::sqrt(error.variance());
    out.push_back(row);
  }
  return out;
}

Duel duel(const std::vector<SplitResult>& results, const std::string& first, const std::string& second) {
  Duel out;
  out.first = first;
  out.second = second;
  std::map<std::size_t, double> errors;
  Moments a, b;
  for (const SplitResult& r : results)
    if (r.method == first) {
      errors[r.split] = r.error;
      a.add(r.error);
    }
  for (const SplitResult& r : results) {
    if (r.method != second) continue;
    b.add(r.error);
    const auto other = errors.find(r.split);
    if (other == errors.end()) continue;
    ++(other->second < r.error ? out.wins : other->second > r.error ? out.losses : out.ties);
  }
  out.sign_p = sign_test(out.wins, out.losses);
  welch(a, b, out);
  return out;
}

}  // namespace cavity
