// Values that somebody else holds are read in place, never written, and give the same fit as values of one's own.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/simulate.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

namespace {

Dataset small_data() {
  return simulate({.samples = 40, .features = 60, .teacher = 0.1, .noise = 0.05, .seed = 3}).data;
}

Dataset borrowing(const Dataset& owner) {
  Dataset out = owner;
  out.features =
      FeatureMatrix::borrow(owner.features.dense().values.data(), owner.features.rows(), owner.features.cols());
  return out;
}

FitOptions one_cell(PreprocessingOptions::Choice transform) {
  FitOptions options;
  options.grid.density = {0.2};
  options.grid.noise = {0.1};
  options.threads = 2;
  options.preprocessing.transform = transform;
  return options;
}

const auto missing_value = [](Dataset& d) { d.features.dense().row(3)[5] = std::numeric_limits<float>::quiet_NaN(); };
const auto constant_feature = [](Dataset& d) {
  for (std::size_t mu = 0; mu < d.samples(); ++mu) d.features.dense().row(mu)[7] = 2;
};
const auto as_it_is = [](Dataset&) {};

void expect_same_fit(const Dataset& data, PreprocessingOptions::Choice transform) {
  const std::vector<float> before = data.features.dense().values;
  const Fit own = fit(data, one_cell(transform)), borrowed = fit(borrowing(data), one_cell(transform));
  EXPECT_EQ(own.loo.probability, borrowed.loo.probability);
  EXPECT_EQ(own.model.questions[0].features.inclusion, borrowed.model.questions[0].features.inclusion);
  EXPECT_EQ(predict(own.model, data).of(1), predict(borrowed.model, borrowing(data)).of(1));
  EXPECT_EQ(borrowed.model.training.values.borrowed, nullptr);
  for (std::size_t i = 0; i < before.size(); ++i)
    ASSERT_TRUE(before[i] == data.features.dense().values[i] || std::isnan(before[i])) << i;
}

}  // namespace

TEST(Borrowed, GivesTheSameFitAndIsNotWritten) {
  using Choice = PreprocessingOptions::Choice;
  for (const Choice transform : {Choice::none, Choice::asinh, Choice::rank}) {
    for (const auto& spoil : std::initializer_list<void (*)(Dataset&)>{as_it_is, missing_value, constant_feature}) {
      Dataset data = small_data();
      spoil(data);
      expect_same_fit(data, transform);
    }
  }
}

TEST(Borrowed, IsReadInPlaceWhenNothingHasToChange) {
  Dataset data = small_data();
  ThreadPool pool(2);
  const auto prepared = prepare(borrowing(data), {.transform = PreprocessingOptions::Choice::none}, pool);
  EXPECT_EQ(prepared.features.dense().borrowed, data.features.dense().values.data());
  const auto applied = apply(prepared.preprocessing, borrowing(data), pool);
  EXPECT_EQ(applied.features.dense().borrowed, data.features.dense().values.data());
  missing_value(data);
  EXPECT_EQ(prepare(borrowing(data), {.transform = PreprocessingOptions::Choice::none}, pool).features.dense().borrowed,
            nullptr);
}

TEST(KeepGoing, StopsAFitBetweenUpdates) {
  for (const Solver solver : {Solver::ep, Solver::amp}) {
    FitOptions options = one_cell(PreprocessingOptions::Choice::none);
    options.solver.kind = solver;
    std::atomic<int> asked = 0;
    options.observer.keep_going = [&] { return ++asked < 3; };
    EXPECT_THROW(fit(small_data(), options), Interrupted);
    EXPECT_EQ(asked, 3);
  }
}

TEST(ModelBytes, AreTheModel) {
  const Dataset data = small_data();
  const Model model = fit(data, one_cell(PreprocessingOptions::Choice::none)).model;
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(predict(model_from_bytes(bytes), data).of(1), predict(model, data).of(1));
  EXPECT_EQ(model_bytes(model_from_bytes(bytes)), bytes);
}

}  // namespace cavity
