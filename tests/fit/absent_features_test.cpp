// What is absent in new samples, told by what is there.
#include "fit/absent_features.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "design/dense_design.hpp"
#include "infer/place_draws.hpp"
#include "support/tables.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

Matrix normal_matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

/// Ridge regression of v on the rows of x, in feature space.
Matrix ridge(const Matrix& x, const Matrix& v, double penalty) {
  const Matrix moment = x.transpose() * x + penalty * Matrix::Identity(x.cols(), x.cols());
  return moment.llt().solve(x.transpose() * v);
}

/// What regressions without each sample miss.
Matrix missed_by_refits(const Matrix& x, const Matrix& v, double penalty) {
  Matrix out(v.rows(), v.cols());
  for (Eigen::Index mu = 0; mu < x.rows(); ++mu) {
    Matrix others(x.rows() - 1, x.cols()), values(x.rows() - 1, v.cols());
    for (Eigen::Index i = 0, at = 0; i < x.rows(); ++i) {
      if (i == mu) continue;
      others.row(at) = x.row(i);
      values.row(at++) = v.row(i);
    }
    out.row(mu) = v.row(mu) - x.row(mu) * ridge(others, values, penalty);
  }
  return out;
}

TEST(AbsentFeatures, LeftOutIsWhatRefitsMissAndThePenaltyMissesLeast) {
  ThreadPool pool(1);
  const Matrix x = normal_matrix(14, 5, 1), v = x * normal_matrix(5, 2, 2) + 0.7 * normal_matrix(14, 2, 3);
  const std::vector<double> weight = {0.25, 0.75};
  const AbsentRegression told(x * x.transpose(), {v, weight, {}}, pool);
  const double size = x.squaredNorm() / 14;
  const auto with_level = [size](const Matrix& rows) {
    Matrix out(rows.rows(), rows.cols() + 1);
    out << rows, Matrix::Constant(rows.rows(), 1, std::sqrt(100 * size));
    return out;
  };
  double least = 1e300;
  Matrix missed;
  double best = 0;
  for (const double penalty : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e4}) {
    const Matrix off = missed_by_refits(with_level(x), v, penalty * size);
    const double sum = (0.25 * off.col(0).squaredNorm() + 0.75 * off.col(1).squaredNorm()) / 14;
    if (sum >= least) continue;
    least = sum;
    missed = off;
    best = penalty * size;
  }
  EXPECT_NEAR(told.missed(), least, 1e-9 * least);
  EXPECT_LT((told.left_out(v, pool) - missed).cwiseAbs().maxCoeff(), 1e-9);
  const std::vector<Eigen::Index> some = {3, 11};
  EXPECT_LT((told.left_out(v, some, pool).row(1) - missed.row(11)).cwiseAbs().maxCoeff(), 1e-9);
  const Matrix fresh = normal_matrix(3, 5, 4);
  EXPECT_LT((told.combination(fresh * x.transpose(), pool) * v - with_level(fresh) * ridge(with_level(x), v, best))
                .cwiseAbs()
                .maxCoeff(),
            1e-9);
}

/// Rows that are centred by all of them tell each one by the others, exactly, and that says nothing of new ones.
TEST(AbsentFeatures, WhatNothingTellsIsMissedWhole) {
  ThreadPool pool(1);
  Matrix x = normal_matrix(40, 200, 7), v = normal_matrix(40, 1, 8);
  x.rowwise() -= x.colwise().mean().eval();
  v.array() -= v.mean();
  const AbsentRegression told(x * x.transpose(), {v, {1}, {}}, pool);
  EXPECT_GT(told.missed(), 0.9 * v.squaredNorm() / 40);
}

TEST(AbsentFeatures, WhatTheModelWithoutASampleMissesIsThatOfRefits) {
  // Ridge regression of labels on all features; the part of the others' fits over the last five is told by the rest.
  ThreadPool pool(1);
  const Matrix x = normal_matrix(16, 12, 1), y = (x.col(0) + x.col(8)).array().sign();
  const Matrix there = x.leftCols(7), gone = x.rightCols(5), whole = ridge(x, y, 2);
  AbsentRegression::Targets targets{gone * whole.bottomRows(5), {1}, {Matrix(16, 16)}};
  for (Eigen::Index mu = 0; mu < 16; ++mu) {
    Matrix weight = Matrix::Ones(16, 1);
    weight(mu, 0) = 0;
    const Matrix others = x.array().colwise() * weight.col(0).array();
    targets.falls[0].col(mu) = gone * (whole - ridge(others, y, 2)).bottomRows(5);
  }
  const AbsentRegression told(there * there.transpose(), targets, pool);
  const double size = there.squaredNorm() / 16;
  double least = 1e300;
  for (const double penalty : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e4}) {
    double sum = 0;
    for (Eigen::Index mu = 0; mu < 16; ++mu) {
      Matrix level(16, 8);
      level << there, Matrix::Constant(16, 1, std::sqrt(100 * size));
      const Matrix seen = targets.values - targets.falls[0].col(mu);
      const double off = missed_by_refits(level, seen, penalty * size)(mu, 0);
      sum += off * off / 16;
    }
    least = std::min(least, sum);
  }
  EXPECT_NEAR(told.missed(), least, 1e-9 * least);
}

TEST(AbsentFeatures, ProductsAreThoseOfTheEntries) {
  ThreadPool pool(2);
  Random random(3);
  FeatureMatrix a(5, 2500), b(7, 2500);
  for (auto* m : {&a, &b})
    for (float& v : m->values) v = static_cast<float>(random.normal());
  const DenseDesign left(view(a)), right(view(b));
  std::vector<std::size_t> some;
  for (std::size_t l = 1; l < 2500; l += 2) some.push_back(l);
  const Matrix cross = products_over(left, right, some, pool), gram = products_over(left, left, some, pool);
  for (Eigen::Index i = 0; i < 5; ++i) {
    for (Eigen::Index j = 0; j < 7; ++j) {
      double sum = 0;
      for (const std::size_t l : some) sum += static_cast<double>(a.row(i)[l]) * static_cast<double>(b.row(j)[l]);
      EXPECT_NEAR(cross(i, j), sum, 1e-9);
    }
    for (Eigen::Index j = 0; j < 5; ++j) EXPECT_EQ(gram(i, j), gram(j, i));
  }
}

/// Features follow `factors` hidden ones, with noise; the first says the class.
Dataset factor_table(std::size_t samples, std::size_t features, double noise, std::uint64_t seed) {
  Dataset out;
  Random loadings(99), random(seed);
  std::vector<double> loading(features * 3);
  for (double& x : loading) x = loadings.normal();
  FeatureMatrix values(samples, features);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double hidden[] = {1.5 * random.normal(), random.normal(), random.normal()};
    out.classes.push_back(hidden[0] + 0.3 * random.normal() > 0 ? 1 : 0);
    for (std::size_t l = 0; l < features; ++l)
      values.row(mu)[l] = static_cast<float>(loading[3 * l] * hidden[0] + loading[3 * l + 1] * hidden[1] +
                                             loading[3 * l + 2] * hidden[2] + noise * random.normal());
  }
  out.features = std::move(values);
  out.sample_names = numbered_names("s", 1, samples);
  out.feature_names = numbered_names("g", 1, features);
  out.class_names = {"n", "t"};
  return out;
}

FitOptions quick() {
  FitOptions out;
  out.grid.density = {0.5, 0.2};
  out.grid.noise = {0.05};
  out.preprocessing.transform = PreprocessingOptions::Choice::none;
  out.threads = 1;
  return out;
}

/// The table without the columns that `goes` names.
template <class Goes>
Dataset without(const Dataset& data, const Goes& goes) {
  std::vector<std::size_t> stays;
  for (std::size_t l = 0; l < data.feature_names.size(); ++l)
    if (!goes(l)) stays.push_back(l);
  Dataset out = data;
  FeatureMatrix values(data.samples(), stays.size());
  out.feature_names.clear();
  for (const std::size_t l : stays) out.feature_names.push_back(data.feature_names[l]);
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    for (std::size_t j = 0; j < stays.size(); ++j) values.row(mu)[j] = data.features.dense().row(mu)[stays[j]];
  out.features = std::move(values);
  return out;
}

template <class Goes>
Dataset emptied(const Dataset& data, const Goes& goes) {
  Dataset out = data;
  for (std::size_t mu = 0; mu < data.samples(); ++mu)
    for (std::size_t l = 0; l < data.feature_names.size(); ++l)
      if (goes(mu, l)) out.features.dense().row(mu)[l] = std::nanf("");
  return out;
}

double log_loss_of(const Prediction& p, const Dataset& data) {
  double sum = 0;
  for (std::size_t mu = 0; mu < data.samples(); ++mu) sum -= std::log(p.at(mu, data.classes[mu]));
  return sum / static_cast<double>(data.samples());
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

const auto two_of_three = [](std::size_t l) { return l % 3 != 0; };

TEST(AbsentFeatures, AllThereIsWholeAndTheSameBitsWhateverTheOptions) {
  const Model model = fit(factor_table(60, 90, 0.5, 1), quick()).model;
  const Dataset fresh = factor_table(50, 90, 0.5, 2);
  const Prediction one = predict(model, fresh, 1), other = predict(model, fresh, {3, true, 1.0});
  EXPECT_EQ(one.probabilities, other.probabilities);
  EXPECT_TRUE(one.measured.whole());
  EXPECT_EQ(one.measured.explained, 1);
  EXPECT_EQ(predict(model, test::reordered(fresh), 1).probabilities, one.probabilities);
}

TEST(AbsentFeatures, WhatFollowsFromTheOthersIsHardlyMissed) {
  const Model model = fit(factor_table(60, 90, 0.5, 1), quick()).model;
  const Dataset fresh = factor_table(300, 90, 0.5, 2);
  const Prediction whole = predict(model, fresh, 1), part = predict(model, without(fresh, two_of_three), 1);
  EXPECT_EQ(part.measured.absent.size(), 60U);
  EXPECT_GT(part.measured.explained, 0.8);
  EXPECT_LT(log_loss_of(part, fresh), log_loss_of(whole, fresh) + 0.05);
}

TEST(AbsentFeatures, WhatFollowsFromNothingIsSaidAndRefused) {
  // Every feature by itself: nothing tells another.
  Dataset table = factor_table(60, 90, 0.5, 1), fresh = table;
  Random random(5);
  for (Dataset* data : {&table, &fresh})
    for (std::size_t mu = 0; mu < 60; ++mu)
      for (std::size_t l = 0; l < 90; ++l)
        data->features.dense().row(mu)[l] =
            static_cast<float>(random.normal() + (l % 9 == 0 && data->classes[mu] == 1 ? 1.0 : 0));
  const Model model = fit(table, quick()).model;
  const auto most = [](std::size_t l) { return l % 10 != 0; };
  try {
    predict(model, without(fresh, most), 1);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("81 of the model's 90 features"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("`least_explained`"), std::string::npos) << error.what();
  }
  const Prediction made = predict(model, without(fresh, most), {1, false, 0});
  EXPECT_LT(made.measured.explained, 0.25);
  double sure = 0;
  for (const double p : made.of(1)) sure = std::max(sure, std::abs(p - 0.5));
  EXPECT_LT(sure, 0.45);
}

TEST(AbsentFeatures, EmptyColumnsAreAbsentOnes) {
  const Model model = fit(factor_table(60, 90, 0.5, 1), quick()).model;
  const Dataset fresh = factor_table(20, 90, 0.5, 2);
  const auto empty = emptied(fresh, [](std::size_t, std::size_t l) { return two_of_three(l); });
  EXPECT_EQ(predict(model, empty, 1).probabilities, predict(model, without(fresh, two_of_three), 1).probabilities);
}

TEST(AbsentFeatures, ASampleIsToldByItselfWhateverTheOthersLack) {
  const Model model = fit(factor_table(60, 90, 0.5, 1), quick()).model;
  const Dataset fresh = factor_table(20, 90, 0.5, 2);
  const auto some = emptied(fresh, [](std::size_t mu, std::size_t l) { return mu == 3 && two_of_three(l); });
  const Prediction whole = predict(model, fresh, 1), made = predict(model, some, 1);
  const auto alone = predict(model, without(fresh, two_of_three), 1).of(1);
  for (std::size_t mu = 0; mu < 20; ++mu) EXPECT_NEAR(made.of(1)[mu], mu == 3 ? alone[3] : whole.of(1)[mu], 1e-9) << mu;
  EXPECT_EQ(made.measured.missing, 60U);
  EXPECT_EQ(made.measured.filled, 0U);
  EXPECT_LT(made.measured.sample_explained[3], 1);
  EXPECT_EQ(made.measured.sample_explained[4], 1);
  EXPECT_EQ(made.probabilities, predict(model, some, 4).probabilities);
}

TEST(AbsentFeatures, EverySolverTellsThem) {
  const Dataset table = factor_table(60, 90, 0.5, 1), fresh = factor_table(200, 90, 0.5, 2);
  for (const Solver solver : {Solver::ep, Solver::gamp, Solver::amp}) {
    FitOptions options = quick();
    options.solver.kind = solver;
    const Model model = model_from_bytes(model_bytes(fit(table, options).model));
    const Prediction whole = predict(model, fresh, 1), part = predict(model, without(fresh, two_of_three), 1);
    EXPECT_LT(log_loss_of(part, fresh), log_loss_of(whole, fresh) + 0.08) << static_cast<int>(solver);
    EXPECT_GT(farthest(part.of(1), whole.of(1)), 0);
  }
}

TEST(AbsentFeatures, SampledCellsTellThem) {
  // One feature says the label, but for every ninth sample; another says the same but for some noise.
  const auto made = [](std::size_t samples, std::uint64_t seed) {
    Dataset table = test::skewed_table(samples, 120, seed);
    Random random(seed, 7);
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const double value = random.normal();
      table.features.dense().row(mu)[5] = static_cast<float>(std::exp(value) * 30);
      table.features.dense().row(mu)[6] = static_cast<float>(std::exp(value + 0.3 * random.normal()) * 30);
      table.classes[mu] = (value > 0) != (mu % 9 == 4) ? 1 : 0;
    }
    return table;
  };
  FitOptions options;
  options.threads = 1;
  const Model model = fit(made(80, 1), options).model;
  ASSERT_GT(model.first_mixture().sampled_weight(), 0.3);
  ASSERT_GT(model.training.values.rows, 0U);
  const Dataset fresh = made(300, 2);
  const Prediction whole = predict(model, fresh, 1);
  const Prediction told = predict(model, without(fresh, [](std::size_t l) { return l == 5; }), 1);
  Dataset filled = fresh;
  double mean = 0;
  const Dataset known = made(80, 1);
  for (std::size_t mu = 0; mu < 80; ++mu) mean += static_cast<double>(known.features.dense().row(mu)[5]) / 80;
  for (std::size_t mu = 0; mu < 300; ++mu) filled.features.dense().row(mu)[5] = static_cast<float>(mean);
  EXPECT_GT(log_loss_of(told, fresh), log_loss_of(whole, fresh));
  EXPECT_LT(log_loss_of(told, fresh), log_loss_of(predict(model, filled, 1), fresh));
}

TEST(AbsentFeatures, ADrawAveragesOverWhatIsMissed) {
  // One place of weight m without an own error: E Phi(b + m x) over x ~ N(x0, s^2), by a sum.
  PlaceDraws draws;
  draws.covariates = 1;
  draws.size = {1};
  draws.place = {4};
  draws.mean = {0.3, 1.7};
  draws.factor = {0, 0, 0};
  const std::vector<std::uint32_t> seen = {2, 4};
  Matrix missed(2, 2);
  missed << 5, 0.1, 0.1, 0.64;
  const std::vector<double> more = missed_variance(draws, seen, missed);
  ASSERT_EQ(more.size(), 1U);
  EXPECT_NEAR(more[0], 1.7 * 1.7 * 0.64, 1e-12);
  FeatureMatrix row(1, 5);
  row.row(0)[4] = 0.5F;
  const std::vector<std::size_t> pattern = {0};
  const double made =
      predict_places(draws, DenseDesign(view(row)), Matrix::Ones(1, 1), DrawDoubt{pattern, 1, more}).front();
  double sum = 0, weight = 0;
  for (double z = -8; z <= 8; z += 0.001) {
    const double w = std::exp(-z * z / 2);
    sum += w * 0.5 * std::erfc(-(0.3 + 1.7 * (0.5 + 0.8 * z)) / std::sqrt(2.0));
    weight += w;
  }
  EXPECT_NEAR(made, sum / weight, 1e-6);
  EXPECT_NEAR(missed_variance({.covariates = 1, .size = {1}, .place = {4}, .mean = {0.3, 0}, .factor = {1, 2, 3}}, seen,
                              missed)[0],
              9 * 0.64, 1e-12);
}

TEST(AbsentFeatures, WithoutTrainingRowsTheErrorSaysSo) {
  FitOptions options = quick();
  options.keep_variances = false;
  const Dataset table = factor_table(60, 90, 0.5, 1);
  const Model model = fit(table, options).model;
  try {
    predict(model, without(table, two_of_three), 1);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("60 of the model's 90 features are not in the data"), std::string::npos) << said;
    EXPECT_NE(said.find("`no_variances`"), std::string::npos) << said;
  }
}

TEST(AbsentFeatures, NamesThatDifferInWritingAreMatchedWhenAsked) {
  const Dataset table = factor_table(60, 90, 0.5, 1), fresh = factor_table(20, 90, 0.5, 2);
  const Model model = fit(table, quick()).model;
  const auto whole = predict(model, fresh, 1).probabilities;
  const auto written = [&](const auto& change) {
    Dataset out = fresh;
    for (std::string& name : out.feature_names) name = change(name);
    return out;
  };
  const std::vector<Dataset> others = {written([](std::string name) { return "G" + name.substr(1); }),
                                       written([](std::string name) { return name + ".12"; }),
                                       written([](std::string name) { return "rna_" + name; }),
                                       written([](std::string name) { return "G" + name.substr(1) + ".3"; })};
  for (const Dataset& data : others) {
    try {
      predict(model, data, 1);
      FAIL() << "not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("90 would be if"), std::string::npos) << error.what();
    }
    const Prediction made = predict(model, data, {1, true, 0.25});
    EXPECT_EQ(made.probabilities, whole);
    EXPECT_EQ(made.measured.renamed, 90U);
  }
}

}  // namespace
}  // namespace cavity
