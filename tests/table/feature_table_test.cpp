// One table type: values that copies share, whatever the form.
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "table/table.hpp"

namespace cavity {
namespace {

FeatureMatrix counting(std::size_t rows, std::size_t cols) {
  FeatureMatrix out(rows, cols);
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = static_cast<float>(i);
  return out;
}

// 3 x 2: (0, 5), (2, 0), (0, 7).
CompressedColumns columns() { return {3, {0, 1, 3}, {1, 0, 2}, {2, 5, 7}}; }

TEST(FeatureTable, CopiesShareTheirValuesUntilOneIsWritten) {
  FeatureTable one = counting(2, 3), two = one;
  EXPECT_EQ(std::as_const(one).dense().data(), std::as_const(two).dense().data());
  two.dense().row(1)[2] = 40;
  EXPECT_EQ(std::as_const(one).dense().row(1)[2], 5);
  EXPECT_EQ(std::as_const(two).dense().row(1)[2], 40);
  const float* before = std::as_const(two).dense().data();
  two.dense().row(0)[0] = 1;
  EXPECT_EQ(std::as_const(two).dense().data(), before);  // nobody else has it: written where it stands
}

TEST(FeatureTable, OfCompressedColumnsBecomesDenseWhenAsked) {
  FeatureTable table(columns());
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.cols(), 2U);
  EXPECT_FALSE(table.is_dense());
  EXPECT_THROW(std::as_const(table).dense(), std::logic_error);
  table.make_dense();
  EXPECT_EQ(std::as_const(table).dense().values, (std::vector<float>{0, 5, 2, 0, 0, 7}));
}

TEST(FeatureTable, EveryFormHasTheMomentsAndRowLengthsOfItsValues) {
  const FeatureTable sparse(columns());
  FeatureTable dense = sparse;
  dense.make_dense();
  ThreadPool pool(2);
  const ColumnMoments a = sparse.table().moments(0, 2, pool), b = dense.table().moments(0, 2, pool);
  const ScaledColumns scaled{{1, 0}, {0.5, -1}, {2, 3}};
  const auto c = sparse.table().row_squares(scaled, pool, Shards::whole()),
             d = dense.table().row_squares(scaled, pool, Shards::whole());
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_NEAR(a.mean[l], b.mean[l], 1e-14);
    EXPECT_NEAR(a.deviation[l], b.deviation[l], 1e-14);
  }
  for (std::size_t mu = 0; mu < 3; ++mu) EXPECT_NEAR(c[mu], d[mu], 1e-12);
}

TEST(FeatureTable, RefusesColumnsThatContradictThemselves) {
  const auto refused = [](auto&& spoil) {
    CompressedColumns bad = columns();
    spoil(bad);
    EXPECT_THROW(FeatureTable{bad}, std::invalid_argument);
  };
  refused([](CompressedColumns& c) { c.start = {}; });
  refused([](CompressedColumns& c) { c.start = {1, 1, 3}; });
  refused([](CompressedColumns& c) { c.start = {0, 4, 3}; });
  refused([](CompressedColumns& c) { c.row[2] = 3; });
  refused([](CompressedColumns& c) { c.row = {1, 2, 0}; });
  refused([](CompressedColumns& c) { c.row.pop_back(); });
}

}  // namespace
}  // namespace cavity
