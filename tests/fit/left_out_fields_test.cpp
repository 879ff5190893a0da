// A cell without one of its samples, against cells solved without it.
#include "fit/left_out_fields.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/random.hpp"

namespace cavity {
namespace {

/// Sites of a Gaussian likelihood of variance s: then a cell without a sample is a regression without it, exactly.
/// Fields are x . m/sqrt(N) + z m_0, the site of a sample has precision 1/s and pulls to its target.
struct Regression {
  Matrix x, target;
  double s = 0.7;
  std::vector<double> prior;

  Matrix mean(Eigen::Index without) const {
    Matrix rows(x.rows(), x.cols() + 1), wanted = target;
    rows << x / std::sqrt(static_cast<double>(x.cols())), Matrix::Ones(x.rows(), 1);
    if (without >= 0) rows.row(without).setZero();
    Matrix precision = rows.transpose() * rows / s;
    for (Eigen::Index l = 0; l < x.cols(); ++l) precision(l, l) += 1 / prior[static_cast<std::size_t>(l)];
    precision(x.cols(), x.cols()) += 5;
    return precision.llt().solve(rows.transpose() * wanted / s);
  }
};

TEST(LeftOutFields, WhatFallsIsWhatRefitsSay) {
  ThreadPool pool(1);
  Random random(4);
  Regression fit{Matrix(9, 20), Matrix(9, 1), 0.7, {}};
  FeatureMatrix rows(9, 20);
  for (Eigen::Index mu = 0; mu < 9; ++mu) {
    for (Eigen::Index l = 0; l < 20; ++l) {
      rows.row(static_cast<std::size_t>(mu))[l] = static_cast<float>(random.normal());
      fit.x(mu, l) = static_cast<double>(rows.row(static_cast<std::size_t>(mu))[l]);
    }
    fit.target(mu, 0) = random.normal();
  }
  for (std::size_t l = 0; l < 20; ++l) fit.prior.push_back(0.2 + random.uniform());
  const Matrix mean = fit.mean(-1);
  const auto field = [&](const Matrix& m, Eigen::Index mu) {
    return (fit.x.row(mu) * m.topRows(20))(0, 0) / std::sqrt(20.0) + m(20, 0);
  };
  // D of a Gaussian site: f = D + V (target - D)/(V + s). Only its share of the shift is asked for here, so that the
  // activation's own D is replaced by the exact one through the ratio of both.
  std::vector<double> fields;
  for (Eigen::Index mu = 0; mu < 9; ++mu) fields.push_back(field(mean, mu));
  const DenseDesign design(view(rows));
  const Covariates covariates{Matrix::Ones(9, 1), {1}};
  const KeptCell cell{fit.prior, std::vector<double>(9, 1 / fit.s), probit(1), 5};
  std::vector<std::int8_t> labels;
  for (Eigen::Index mu = 0; mu < 9; ++mu) labels.push_back(fields[static_cast<std::size_t>(mu)] > 0 ? 1 : -1);
  const LeftOutFields left(design, covariates, cell, fields, labels, pool);
  const std::vector<std::size_t> some = {1, 4, 5, 17};
  const Matrix falls = left.falls(design, some, pool);
  for (Eigen::Index i = 0; i < 9; ++i) {
    const auto mu = static_cast<std::size_t>(i);
    const Matrix without = fit.mean(i);
    const double exact = fields[mu] - field(without, i), stated = fields[mu] - left.fields()[mu];
    ASSERT_GT(std::abs(stated), 0);
    for (Eigen::Index nu = 0; nu < 9; ++nu) {
      double fall = 0;
      for (const std::size_t l : some)
        fall += fit.x(nu, static_cast<Eigen::Index>(l)) *
                (mean(static_cast<Eigen::Index>(l), 0) - without(static_cast<Eigen::Index>(l), 0)) / std::sqrt(20.0);
      EXPECT_NEAR(falls(nu, i) / stated, fall / exact, 1e-6) << nu << " " << i;
    }
  }
}

TEST(LeftOutFields, TheFieldIsTheOneThatWithTheSampleIsAsItIs) {
  ThreadPool pool(1);
  FeatureMatrix rows(1, 1);
  rows.row(0)[0] = 1;
  const KeptCell cell{{0.8}, {0.25}, probit(1), 1};
  const LeftOutFields left(DenseDesign(view(rows)), Covariates{Matrix::Zero(1, 0), {}}, cell, {0.6}, {1}, pool);
  const double b = 0.8 / (1 + 0.25 * 0.8), v = 1 / (1 / b - 0.25), d = left.fields()[0];
  EXPECT_NEAR(d + v * tilt(probit(1), d, v).a, 0.6, 1e-12);
  EXPECT_LT(d, 0.6);
}

}  // namespace
}  // namespace cavity
