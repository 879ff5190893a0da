// The genotype design against the dense one over the same values (unknown calls at the mean), from calls packed by a
// plain encoder of this file; the same bits for any threads, SIMD level, window of the file.
#include "design/genotype_design.hpp"

#include <gtest/gtest.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/random.hpp"
#include "design/dense_design.hpp"
#include "read/plink.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

constexpr int unknown = 3;
using Table = std::vector<std::vector<int>>;  // [variant][sample]: copies of A1, or unknown

Table random_table(std::size_t samples, std::size_t variants, double missing) {
  Random random(samples * 31 + variants);
  Table table(variants, std::vector<int>(samples));
  for (auto& row : table) {
    const double frequency = 0.05 + 0.9 * random.uniform();
    for (auto& call : row) {
      call = (random.uniform() < frequency) + (random.uniform() < frequency);
      if (random.uniform() < missing) call = unknown;
    }
  }
  return table;
}

// PLINK's coding, call by call.
std::vector<std::uint8_t> packed(const Table& table) {
  std::vector<std::uint8_t> bytes;
  for (const auto& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i % 4 == 0) bytes.push_back(0);
      const int code = row[i] == 2 ? 0 : row[i] == unknown ? 1 : row[i] == 1 ? 2 : 3;
      bytes.back() = static_cast<std::uint8_t>(bytes.back() + (code << (2 * (i % 4))));
    }
  }
  return bytes;
}

struct Shape {
  std::size_t samples, variants;
  double missing;
  bool subset = false;  // of samples and variants
};
void PrintTo(const Shape& s, std::ostream* out) {
  *out << s.samples << " x " << s.variants << ", missing " << s.missing << (s.subset ? ", subset" : "");
}

struct Pair {
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> samples;
  GenotypeScaling scaling;
  std::vector<double> row_scale;
  GenotypeCalls calls;
  FeatureMatrix values;
  std::unique_ptr<Design> genotype, dense;
};

std::unique_ptr<Pair> both_designs(const Table& table, bool subset, std::size_t most_in_tiles = 1 << 21) {
  auto pair = std::make_unique<Pair>();
  Random random(5);
  pair->bytes = packed(table);
  pair->calls = {pair->bytes.data(), table[0].size(), table.size(), (table[0].size() + 3) / 4};
  const auto some = [&](std::size_t count) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < count; ++i)
      if (!subset || i + 1 == count || random.uniform() < 0.6) which.push_back(i);
    return which;
  };
  pair->samples = some(table[0].size());
  pair->scaling.kept = some(table.size());
  for (std::size_t i = 0; i < pair->samples.size(); ++i) pair->row_scale.push_back(0.5 + random.uniform());
  pair->values = FeatureMatrix(pair->samples.size(), pair->scaling.kept.size());
  for (std::size_t l = 0; l < pair->scaling.kept.size(); ++l) {
    pair->scaling.centre.push_back(static_cast<float>(2 * random.uniform()));  // a float, as the dense value will be
    pair->scaling.scale.push_back(0.5 + random.uniform());
    for (std::size_t mu = 0; mu < pair->samples.size(); ++mu) {
      const int call = table[pair->scaling.kept[l]][pair->samples[mu]];
      pair->values.row(mu)[l] =
          call == unknown ? static_cast<float>(pair->scaling.centre[l]) : static_cast<float>(call);
    }
  }
  pair->genotype = std::make_unique<GenotypeDesign>(pair->calls, pair->samples, pair->scaling, pair->row_scale,
                                                    std::span<const std::uint32_t>(), most_in_tiles);
  pair->dense = std::make_unique<DenseDesign>(view(pair->values), pair->scaling.centre, pair->scaling.scale,
                                              pair->row_scale, most_in_tiles);
  return pair;
}

std::unique_ptr<Pair> both_designs(const Shape& shape) {
  return both_designs(random_table(shape.samples, shape.variants, shape.missing), shape.subset);
}

std::vector<double> normals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v(n);
  for (auto& x : v) x = random.normal();
  return v;
}

// From the largest down to 1e-10 of it: their integers have one to four digits.
std::vector<double> of_all_sizes(std::size_t n) {
  auto v = normals(n, 1);
  for (std::size_t l = 0; l < n; ++l) v[l] *= std::pow(10.0, -static_cast<double>(l * 7 % 11));
  return v;
}

double norm(const std::vector<double>& v) { return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0)); }

void expect_close(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance) << i;
}

void expect_close(const Matrix& got, const Matrix& expected) {
  ASSERT_EQ(got.rows(), expected.rows());
  ASSERT_EQ(got.cols(), expected.cols());
  EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), 1e-12 * (1 + expected.cwiseAbs().maxCoeff()));
}

void bend(std::size_t first, std::span<double> products) {
  for (double& p : products) p = std::tanh(p) + 0.01 * static_cast<double>(first++);
}

class Genotype : public testing::TestWithParam<Shape> {
 protected:
  const std::unique_ptr<Pair> pair = both_designs(GetParam());
  const std::size_t m = pair->genotype->samples(), n = pair->genotype->features();
  const std::vector<double> u = normals(m, 2);
  std::vector<double> rows = std::vector<double>(m), rows_dense = rows, cols = std::vector<double>(n),
                      cols_dense = cols;
  Scratch scratch;
  ThreadPool pool{2};
};

TEST_P(Genotype, RoughProductsAreNearTheDenseOnes) {
  const auto v = of_all_sizes(n);
  pair->genotype->times(v, rows, pool, Precision::rough);
  pair->dense->times(v, rows_dense, pool);
  expect_close(rows, rows_dense, 1e-9 * std::sqrt(static_cast<double>(n)) * norm(v));
  pair->genotype->transpose_times(u, cols, pool, Precision::rough);
  pair->dense->transpose_times(u, cols_dense, pool);
  expect_close(cols, cols_dense, 1e-6 * norm(u));  // five deviations of the roundings

  pair->genotype->sweep(v, bend, cols, scratch, pool, Precision::rough);
  pair->dense->sweep(v, bend, cols_dense, scratch, pool);
  expect_close(cols, cols_dense, 1e-6 * std::sqrt(static_cast<double>(m)) * (1 + 0.01 * static_cast<double>(m)));
}

TEST_P(Genotype, EveryProductIsTheDenseOne) {
  const auto v = normals(n, 1), t = normals(n, 3);
  pair->genotype->times(v, rows, pool);
  pair->dense->times(v, rows_dense, pool);
  expect_close(rows, rows_dense, 1e-13 * std::sqrt(static_cast<double>(n)) * norm(v));
  pair->genotype->transpose_times(u, cols, pool);
  pair->dense->transpose_times(u, cols_dense, pool);
  expect_close(cols, cols_dense, 1e-13 * std::sqrt(static_cast<double>(m)) * norm(u));
  const double left = std::inner_product(rows.begin(), rows.end(), u.begin(), 0.0);
  const double right = std::inner_product(cols.begin(), cols.end(), v.begin(), 0.0);
  EXPECT_NEAR(left, right, 1e-13 * norm(u) * norm(v) * std::sqrt(static_cast<double>(m * n)));

  pair->genotype->sweep(v, bend, cols, scratch, pool);
  pair->dense->sweep(v, bend, cols_dense, scratch, pool);
  expect_close(cols, cols_dense, 1e-12 * std::sqrt(static_cast<double>(m * n)) * (1 + norm(v)));

  Matrix got, expected;
  pair->genotype->gram(t, got, pool);
  pair->dense->gram(t, expected, pool);
  expect_close(got, expected);
  pair->genotype->quadratic(expected, cols, pool);
  pair->dense->quadratic(expected, cols_dense, pool);
  expect_close(cols, cols_dense, 1e-12 * (1 + norm(cols_dense)));
  const std::vector<std::size_t> which = {n - 1, 0, n / 2};
  pair->genotype->columns(which, got);
  pair->dense->columns(which, expected);
  expect_close(got, expected);
}

std::vector<double> all_products(const Pair& pair, const Design& design, ThreadPool& pool) {
  const std::size_t m = design.samples(), n = design.features();
  std::vector<double> rows(m), cols(n), rough_rows(m), rough_cols(n);
  design.times(normals(n, 1), rows, pool);
  design.transpose_times(normals(m, 2), cols, pool);
  design.times(of_all_sizes(n), rough_rows, pool, Precision::rough);
  design.transpose_times(normals(m, 2), rough_cols, pool, Precision::rough);
  std::vector<double> squared_rows(m), squared_cols(n);
  design.squared_times(normals(n, 1), squared_rows, pool);
  design.squared_transpose_times(normals(m, 2), squared_cols, pool);
  for (const auto* part : {&cols, &rough_rows, &rough_cols, &squared_rows, &squared_cols})
    rows.insert(rows.end(), part->begin(), part->end());
  const auto squares = genotype_row_squares(pair.calls, pair.samples, pair.scaling, pool);
  rows.insert(rows.end(), squares.begin(), squares.end());
  const GenotypeCounts counts = genotype_counts(pair.calls, pair.samples, pool);
  for (const auto* part : {&counts.mean, &counts.deviation}) rows.insert(rows.end(), part->begin(), part->end());
  rows.insert(rows.end(), counts.missing.begin(), counts.missing.end());
  return rows;
}

TEST_P(Genotype, ThreadsChangeNoBit) {
  ThreadPool one(1), two(2), four(4);
  const auto alone = all_products(*pair, *pair->genotype, one);
  EXPECT_EQ(alone, all_products(*pair, *pair->genotype, two));
  EXPECT_EQ(alone, all_products(*pair, *pair->genotype, four));
}

TEST_P(Genotype, SimdLevelsChangeNoBit) {
  struct BestTargetAfterwards {
    ~BestTargetAfterwards() {
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().DeInit();
    }
  } restore;
  const auto best = all_products(*pair, *pair->genotype, pool);
  std::int64_t seen = 0;
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    EXPECT_EQ(best, all_products(*pair, *pair->genotype, pool)) << hwy::TargetName(target);
    hwy::SetSupportedTargetsForTest(0);
    ++seen;
  }
  EXPECT_GE(seen, 2) << "nothing to compare";
}

TEST_P(Genotype, CountsAndRowScalesAreThoseOfTheTable) {
  const Shape shape = GetParam();
  const Table table = random_table(shape.samples, shape.variants, shape.missing);
  const GenotypeCounts counts = genotype_counts(pair->calls, pair->samples, pool);
  for (std::size_t l = 0; l < table.size(); ++l) {
    std::array<std::uint32_t, 4> expected{};
    for (const std::size_t mu : pair->samples) ++expected[static_cast<std::size_t>(table[l][mu])];
    EXPECT_EQ(counts.copies[l], (std::array<std::uint32_t, 3>{expected[0], expected[1], expected[2]}));
    EXPECT_EQ(counts.missing[l], expected[3]);
    const double known = std::max(1U, expected[0] + expected[1] + expected[2]);
    const double mean = (expected[1] + 2 * expected[2]) / known;
    EXPECT_DOUBLE_EQ(counts.mean[l], mean);
    EXPECT_DOUBLE_EQ(counts.frequency[l], mean / 2);
    EXPECT_NEAR(counts.deviation[l] * counts.deviation[l], (expected[1] + 4 * expected[2]) / known - mean * mean,
                1e-12);
    EXPECT_EQ(counts.constant[l] != 0, counts.deviation[l] == 0);
  }
  const auto squares = genotype_row_squares(pair->calls, pair->samples, pair->scaling, pool);
  for (std::size_t mu = 0; mu < pair->samples.size(); ++mu) {
    double length2 = 0;
    for (std::size_t l = 0; l < pair->scaling.kept.size(); ++l) {
      const double x =
          pair->scaling.scale[l] * (static_cast<double>(pair->values.row(mu)[l]) - pair->scaling.centre[l]);
      length2 += x * x;
    }
    EXPECT_NEAR(squares[mu], length2, 1e-7 * length2);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Genotype,
                         testing::Values(Shape{1, 1, 0}, Shape{1, 40, 0.2}, Shape{40, 1, 0}, Shape{3, 17, 0.1},
                                         Shape{4, 4, 0}, Shape{5, 3, 0.9}, Shape{62, 301, 0}, Shape{63, 125, 0.02},
                                         Shape{257, 130, 0.3}, Shape{255, 123, 0}, Shape{300, 250, 0.01, true},
                                         Shape{1000, 61, 0, true}, Shape{17, 2100, 0.05, true}));

// Beyond the blocks in which weights and rows are taken: 8192 and 16384 samples.
TEST(GenotypeDesign, ManySamples) {
  const auto pair = both_designs(Shape{33001, 9, 0.01, false});
  ThreadPool pool(2);
  const auto v = normals(9, 1), u = normals(33001, 2);
  std::vector<double> rows(33001), rows_dense(33001), cols(9), cols_dense(9);
  pair->genotype->times(v, rows, pool);
  pair->dense->times(v, rows_dense, pool);
  expect_close(rows, rows_dense, 1e-13 * norm(v) * 3);
  pair->genotype->transpose_times(u, cols, pool);
  pair->dense->transpose_times(u, cols_dense, pool);
  expect_close(cols, cols_dense, 1e-13 * std::sqrt(33001.0) * norm(u));
}

TEST(GenotypeDesign, AllCallsUnknownButOne) {
  Table table(5, std::vector<int>(10, unknown));
  table[3][7] = 2;
  const auto pair = both_designs(table, false);
  ThreadPool pool(1);
  std::vector<double> rows(10), cols(5);
  pair->genotype->times(std::vector<double>(5, 1.5), rows, pool);
  const double entry = pair->row_scale[7] * pair->scaling.scale[3] * (2 - pair->scaling.centre[3]);
  for (std::size_t mu = 0; mu < 10; ++mu) EXPECT_NEAR(rows[mu], mu == 7 ? 1.5 * entry : 0, 1e-8);
  pair->genotype->transpose_times(std::vector<double>(10, -2), cols, pool);
  for (std::size_t l = 0; l < 5; ++l) EXPECT_NEAR(cols[l], l == 3 ? -2 * entry : 0, 1e-8);
}

TEST(GenotypeDesign, ExtremeWeights) {
  const auto pair = both_designs(Shape{20, 9, 0.1, false});
  ThreadPool pool(1);
  std::vector<double> rows(20), cols(9), expected(20);
  for (const double size : {0.0, 1e-300, 1e-200, 1e200}) {
    const std::vector<double> v(9, size);
    pair->genotype->times(v, rows, pool);
    pair->dense->times(v, expected, pool);
    expect_close(rows, expected, size < 1e-290 ? 1e-295 : 1e-8 * size);
  }
  std::vector<double> v(9, 1);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    v[4] = bad;
    pair->genotype->times(v, rows, pool);
    EXPECT_TRUE(std::all_of(rows.begin(), rows.end(), [](double x) { return std::isnan(x); }));
  }
  std::vector<double> u(20, 1);
  u[0] = std::nan("");
  pair->genotype->transpose_times(u, cols, pool);
  EXPECT_TRUE(std::all_of(cols.begin(), cols.end(), [](double x) { return std::isnan(x); }));
}

TEST(GenotypeDesign, WrongSizesAreNamed) {
  const auto pair = both_designs(Shape{5, 3, 0, false});
  std::vector<double> v(4), out(5);
  ThreadPool pool(1);
  EXPECT_THROW(pair->genotype->times(v, out, pool), std::invalid_argument);
}

// From a file that may not be in memory as a whole: the same bits.
TEST(GenotypeDesign, WindowsOfAFileChangeNoBit) {
  const Table table = random_table(4001, 700, 0.01);
  const auto pair = both_designs(table, false);
  const auto bytes = packed(table);
  test::TempDir dir;
  std::string bim, fam;
  for (std::size_t l = 0; l < table.size(); ++l) bim += "1 v" + std::to_string(l) + " 0 1 A G\n";
  for (std::size_t i = 0; i < table[0].size(); ++i) fam += "f s" + std::to_string(i) + " 0 0 0 1\n";
  dir.write("g.bim", bim);
  dir.write("g.fam", fam);
  dir.write("g.bed", "\x6c\x1b\x01" + std::string(bytes.begin(), bytes.end()));
  const Plink plink = read_plink(plink_files(dir.path("g.bed")));
  ASSERT_EQ(plink.samples, 4001U);
  for (std::size_t l = 0; l < table.size(); l += 50)
    for (std::size_t i = 0; i < table[0].size(); i += 7) {
      const GenotypeCalls calls{plink.packed, plink.samples, plink.variants, plink.bytes_per_variant};
      const int copies[] = {2, unknown, 1, 0};
      ASSERT_EQ(copies[calls.code(l, i)], table[l][i]);
    }
  ThreadPool pool(2);
  const auto whole = all_products(*pair, *pair->genotype, pool);
  pair->calls = {plink.packed, plink.samples, plink.variants, plink.bytes_per_variant, 400'000};
  const GenotypeDesign design(pair->calls, pair->samples, pair->scaling, pair->row_scale);
  EXPECT_EQ(whole, all_products(*pair, design, pool));
}

}  // namespace
}  // namespace cavity
