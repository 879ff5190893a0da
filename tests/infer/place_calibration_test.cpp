// Simulation-based calibration (Talts et al. 2018): places, weights and labels drawn from the model, and the truth's
// rank among the sampler's draws, which is uniform if the sampler is right. Short here; CAVITY_VALIDATE=1 runs more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cstdlib>
#include <iostream>

#include "infer/place_chain.hpp"
#include "model/normal.hpp"
#include "support/double_design.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 25, features = 15, ranks = 20;

struct Simulated {
  Matrix x;
  Covariates covariates;
  std::vector<std::int8_t> labels;
  std::vector<std::size_t> places;
  double field = 0;  // of the first sample
  static constexpr double kept = 2, flip = 0.05, width = 0.5;

  explicit Simulated(Random& random) {
    x = Matrix::NullaryExpr(samples, features, [&random] { return random.normal(); });
    for (Eigen::Index l = 1; l < x.cols(); ++l) x.col(l) = 0.6 * x.col(l - 1) + 0.8 * x.col(l);
    covariates = {Matrix::Ones(samples, 1), {4}};
    Eigen::VectorXd fields = Eigen::VectorXd::Constant(samples, random.normal() / (2 * width));
    for (std::size_t l = 0; l < features; ++l) {
      if (!random.bernoulli(kept / features)) continue;
      places.push_back(l);
      fields += random.normal() / (width * std::sqrt(kept)) * x.col(static_cast<Eigen::Index>(l));
    }
    for (const double u : fields) labels.push_back(random.bernoulli(flip + (1 - 2 * flip) * normal_cdf(u)) ? 1 : -1);
    field = fields[0];
  }
};

/// Where the truth stands among the draws, ties broken by chance.
std::size_t rank_of(double truth, const std::vector<double>& draws, Random& random) {
  std::size_t below = 0, equal = 0;
  for (const double draw : draws) {
    below += draw < truth;
    equal += draw == truth;
  }
  const std::size_t rank = below + random.below(equal + 1);
  return rank * ranks / (draws.size() + 1);
}

double place_sum(const std::vector<std::size_t>& places) {
  double out = 0;
  for (const std::size_t l : places) out += static_cast<double>(l);
  return out;
}

double uniformity(const std::vector<std::size_t>& counts, std::size_t sets) {
  const double expected = static_cast<double>(sets) / ranks;
  double chi_square = 0;
  for (const std::size_t count : counts)
    chi_square += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
  return cdf(complement(boost::math::chi_squared(ranks - 1), chi_square));
}

TEST(PlaceCalibration, RanksAreUniform) {
  const std::size_t sets = std::getenv("CAVITY_VALIDATE") ? 1000 : 200;
  constexpr std::size_t draws = 2 * ranks - 1, thinning = 6;
  ThreadPool pool(1);
  std::vector<std::size_t> size_counts(ranks), which_counts(ranks), field_counts(ranks);
  for (std::size_t set = 0; set < sets; ++set) {
    Random random(set + 1, 12);
    const Simulated truth(random);
    const test::DoubleDesign design(truth.x);
    const PlaceModel model({design, truth.labels, truth.covariates, truth.kept, truth.flip, truth.width}, pool);
    PlaceChain chain(model, 2, Random(set + 1, 13));
    for (int i = 0; i < 100; ++i) chain.step();
    std::vector<double> size, which, field;
    for (std::size_t draw = 0; draw < draws; ++draw) {
      for (std::size_t i = 0; i < thinning; ++i) chain.step();
      size.push_back(static_cast<double>(chain.state().places.size()));
      which.push_back(place_sum(chain.state().places));
      field.push_back(chain.field_mean(0) + std::sqrt(chain.field_variance(0)) * random.normal());
    }
    ++size_counts[rank_of(static_cast<double>(truth.places.size()), size, random)];
    ++which_counts[rank_of(place_sum(truth.places), which, random)];
    ++field_counts[rank_of(truth.field, field, random)];
  }
  const double p[] = {uniformity(size_counts, sets), uniformity(which_counts, sets), uniformity(field_counts, sets)};
  std::cout << fmt::format("calibration | places | {} x {} | {} sets | p: size {:.3f}, which {:.3f}, field {:.3f}\n",
                           samples, features, sets, p[0], p[1], p[2]);
  for (const double value : p) EXPECT_GE(value, 0.001);
}

}  // namespace
}  // namespace cavity
