#include "model/activation_kind.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cavity {
namespace {

constexpr ActivationKind kinds[] = {ActivationKind::step, ActivationKind::probit, ActivationKind::logistic};

TEST(ActivationKind, NamesAreReadBack) {
  for (const auto kind : kinds) EXPECT_EQ(parse_activation(to_string(kind)), kind);
}

TEST(ActivationKind, GridsHoldValidNoises) {
  for (const auto kind : kinds)
    for (const double density : {0.001, 0.5}) {
      for (const double noise : default_noises(kind, density)) EXPECT_TRUE(is_valid_noise(kind, noise)) << noise;
      for (const double noise : paper_noises(kind, density)) EXPECT_TRUE(is_valid_noise(kind, noise)) << noise;
    }
}

TEST(ActivationKind, OnlyTheStepHasAFreeScale) {
  for (const auto kind : kinds) {
    const AnyActivation f = make_activation(kind, 0.1);
    EXPECT_EQ(scale_is_free(f), likelihood(f, 0.3) == likelihood(f, 3.0)) << to_string(f);
    EXPECT_NE(scale_is_free(f), slab_is_solved(f)) << to_string(f);
    EXPECT_FALSE(labels_are_certain(f)) << to_string(f);
  }
  EXPECT_TRUE(labels_are_certain(make_activation(ActivationKind::step, 0)));
  EXPECT_FALSE(slab_is_solved(make_activation(0.1, 0.5)));
  EXPECT_FALSE(scale_is_free(make_activation(0.1, 0.5)));
}

TEST(ActivationKind, AddedVarianceMakesAProbitOfIt) {
  for (const double field : {-2.0, -0.3, 1.0, 4.0}) {
    EXPECT_EQ(average_likelihood(probit(std::sqrt(added_variance(probit(0.7)))), field, 0.2),
              average_likelihood(probit(0.7), field, 0.2));
    const LogisticActivation logistic{0.7};
    EXPECT_NEAR(average_likelihood(probit(std::sqrt(added_variance(logistic))), field, 0.2),
                average_likelihood(logistic, field, 0.2), 0.01);
  }
}

}  // namespace
}  // namespace cavity
