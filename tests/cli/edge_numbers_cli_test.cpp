// Values and options at the edge of the numbers: an answer, or a sentence with a documented exit code, and always an
// end.
#include <gtest/gtest.h>

#include <set>

#include "support/csv_tables.hpp"
#include "support/one_table_in_all_forms.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class EdgeNumbersCli : public testing::Test {
 protected:
  /// Random numbers times `factor`.
  std::string table(double factor) {
    Random random(1);
    Table made = separable_table(20, 15);
    for (auto& row : made.rows)
      for (std::size_t l = 1; l < row.size(); ++l) row[l] = fmt::format("{}", factor * (2 * random.uniform() - 1));
    return folder.write(fmt::format("t{}.csv", factor), made.csv());
  }
  std::string good() { return folder.write("good.csv", separable_table(20, 15).csv()); }
  TempDir folder;
};

TEST_F(EdgeNumbersCli, ValuesAtTheEndOfTheRange) {
  std::set<int> codes;
  for (const char* solver : {"amp", "gamp", "gamp --no-unit-variance"})
    for (const double factor : {3.4e38, 1e-44}) {
      const std::string arguments = fmt::format("fit -q -o {} --solver {} {}", folder.path("m"), solver, table(factor));
      const Outcome outcome = run_cavity(arguments);
      codes.insert(outcome.code);
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 3 || outcome.code == 4) << arguments << outcome.err;
      if (outcome.code == 3) {
        EXPECT_NE(outcome.err.find("no grid cell gave finite numbers"), std::string::npos) << outcome.err;
      }
    }
  EXPECT_TRUE(codes.contains(3));  // one at least has nothing to save
  for (const char* options : {"--width 0", "--width 1e-12", "--width 1e12", "--solver gibbs --width 0",
                              "--solver gibbs --width 1e-12", "--solver ep --noise 1e-12"}) {
    const std::string whole = std::string(" fit -q --max-iterations 100 --density 1e-12 ") + options + " ";
    const Outcome outcome = run_shell("timeout 100 " CAVITY_BINARY + whole + table(3.4e38));
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 4) << whole << outcome.code << outcome.err;
  }
}

TEST_F(EdgeNumbersCli, OptionsAtTheEndOfTheRange) {
  const std::string fit = "fit -q " + good() + " ";
  expect_refusal(fit + "--density 1e-320 --width 0", 2, {"density 1e-320", "[1e-12, 1]"});
  expect_refusal(fit + "--width 1e-200", 2, {"width 1e-200", "[1e-12,"});
  expect_refusal(fit + "--class-prior 1e-320", 2, {"--class-prior 1e-320"});
  expect_refusal(fit + "--tolerance 1e-320", 2, {"--tolerance 1e-320"});
  const AllForms forms(rare_genotypes(24, 12, false));
  expect_refusal("fit -q --density 1e-300 " + forms.bed, 2, {"density 1e-300"});
  EXPECT_EQ(run_cavity("fit -q --density 1e-12 " + forms.bed).code, 4);
}

TEST_F(EdgeNumbersCli, TwoSamplesHaveNoHalves) {
  const std::string two = folder.write("two.csv", "label,a,b\nt,1,2\nn,2,1\n");
  expect_refusal("stability -q " + two, 3, {"class 'n' has one sample", "two of each class"});
}

}  // namespace
}  // namespace cavity::test
