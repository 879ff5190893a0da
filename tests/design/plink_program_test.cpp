// Against PLINK itself: the fileset that it simulates, its allele counts, its scores.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "base/random.hpp"
#include "design/genotype_design.hpp"
#include "read/plink.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

// Rows of a whitespace-separated table by column name.
std::vector<std::map<std::string, std::string>> read_table(const std::string& path) {
  std::ifstream in(path);
  std::string line, word;
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::vector<std::string> values;
    while (words >> word) values.push_back(word);
    if (names.empty()) {
      names = values;
      continue;
    }
    rows.emplace_back();
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) rows.back()[names[i]] = values[i];
  }
  return rows;
}

class PlinkProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v plink1.9 >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "plink1.9 is not installed; tools/setup installs it";
    plink("--dummy 203 317 0.03 --seed 5 --make-bed --out " + dir_.path("g"));
    fileset_ = read_plink(plink_files(dir_.path("g")));
    samples_.resize(fileset_.samples);
    std::iota(samples_.begin(), samples_.end(), std::size_t{0});
    scaling_.kept.resize(fileset_.variants);
    std::iota(scaling_.kept.begin(), scaling_.kept.end(), std::size_t{0});
    calls_ = {fileset_.packed, fileset_.samples, fileset_.variants, fileset_.bytes_per_variant};
  }

  void plink(const std::string& options) const {
    ASSERT_EQ(std::system(("plink1.9 --silent " + options + " >/dev/null").c_str()), 0) << options;
  }

  // PLINK's sum over variants of weight x copies of A1, by sample.
  std::vector<double> scores(const std::vector<double>& weights, const std::string& modifiers) const {
    const auto variants = read_table(dir_.path("c.frq.counts"));
    std::ofstream file(dir_.path("weights"));
    file.precision(17);
    for (std::size_t l = 0; l < weights.size(); ++l)
      file << variants[l].at("SNP") << ' ' << variants[l].at("A1") << ' ' << weights[l] << '\n';
    file.close();
    plink("--bfile " + dir_.path("g") + " --score " + dir_.path("weights") + " 1 2 3 " + modifiers + " --out " +
          dir_.path("s"));
    std::vector<double> sums;
    for (const auto& row : read_table(dir_.path("s.profile")))
      sums.push_back(row.count("SCORESUM") != 0 ? std::stod(row.at("SCORESUM"))
                                                : std::stod(row.at("SCORE")) * std::stod(row.at("CNT")));
    return sums;
  }

  std::vector<double> product(double row_scale, const std::vector<double>& v) {
    const GenotypeDesign design(calls_, samples_, scaling_, std::vector<double>(samples_.size(), row_scale));
    std::vector<double> out(samples_.size());
    design.times(v, out, pool_);
    return out;
  }

  test::TempDir dir_;
  Plink fileset_;
  std::vector<std::size_t> samples_;
  GenotypeScaling scaling_;
  GenotypeCalls calls_;
  ThreadPool pool_{2};
};

TEST_F(PlinkProgram, CountsAndScoresAreOurs) {
  ASSERT_EQ(fileset_.samples, 203U);
  ASSERT_EQ(fileset_.variants, 317U);
  plink("--bfile " + dir_.path("g") + " --freq counts --out " + dir_.path("c"));
  const auto theirs = read_table(dir_.path("c.frq.counts"));
  const GenotypeCounts counts = genotype_counts(calls_, samples_, pool_);
  ASSERT_EQ(theirs.size(), counts.copies.size());
  std::size_t missing = 0;
  for (std::size_t l = 0; l < theirs.size(); ++l) {
    const auto& [none, one, two] = counts.copies[l];
    EXPECT_EQ(theirs[l].at("SNP"), fileset_.variant_names[l]);
    EXPECT_EQ(std::stoul(theirs[l].at("C1")), one + 2 * two);
    EXPECT_EQ(std::stoul(theirs[l].at("C2")), one + 2 * none);
    EXPECT_EQ(std::stoul(theirs[l].at("G0")), counts.missing[l]);
    missing += counts.missing[l];
  }
  EXPECT_GT(missing, 0U);

  Random random(3);
  std::vector<double> v(fileset_.variants);
  for (auto& x : v) x = random.normal();
  // PLINK prints six digits. Unknown calls count nothing: our entries with centre 0.
  scaling_.centre.assign(v.size(), 0);
  scaling_.scale.assign(v.size(), 1);
  const auto plain = scores(v, "no-mean-imputation"), ours = product(1, v);
  ASSERT_EQ(plain.size(), ours.size());
  for (std::size_t mu = 0; mu < ours.size(); ++mu) EXPECT_NEAR(plain[mu], ours[mu], 3e-4);
  // Unknown calls at the mean: our entries around it.
  scaling_.centre = counts.mean;
  const double shift = std::inner_product(v.begin(), v.end(), counts.mean.begin(), 0.0);
  const auto imputed = scores(v, "sum"), centred = product(1, v);
  for (std::size_t mu = 0; mu < ours.size(); ++mu) EXPECT_NEAR(imputed[mu] - shift, centred[mu], 3e-4);
}

}  // namespace
}  // namespace cavity
