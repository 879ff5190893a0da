// Dense, sparse, genotype and in-file forms of the same data give the same fit, the same choice, the same predictions;
// dealt out to several processes, too.
#include <gtest/gtest.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/read.hpp"
#include "fit/fit_with_shards.hpp"
#include "support/errors.hpp"
#include "support/one_table_in_all_forms.hpp"
#include "support/thread_shards.hpp"

namespace cavity {
namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

struct Form {
  const char* name;
  std::string path;
  ReadOptions read;
};

std::vector<Form> compact_forms(const test::AllForms& files) {
  ReadOptions own{.compact = true}, with_labels{.labels_file = files.labels_file, .compact = true};
  ReadOptions in_file = with_labels;
  in_file.memory = 1 << 20;
  return {{"svmlight", files.svmlight, own},
          {"Matrix Market", files.market, with_labels},
          {"genotypes", files.bed, own},
          {"Fortran order", files.fortran, in_file}};
}

FitOptions quick(Solver solver) {
  FitOptions options;
  options.solver.kind = solver;
  options.threads = 1;
  options.preprocessing.transform = PreprocessingOptions::Choice::none;  // what sparse tables would do by themselves
  options.preprocessing.unit_variance = true;
  options.preprocessing.equal_rows = true;
  options.grid.density = {0.3, 0.1};
  options.grid.noise = {0.2, 0.1};
  if (solver == Solver::gamp)
    options.solver.tolerance = 1e-9;  // damped in another way, forms end a tolerance apart, a hundred in folds
  return options;
}

void expect_same(const Fit& dense, const Fit& other, const std::string& what) {
  EXPECT_EQ(dense.questions[0].chosen, other.questions[0].chosen) << what;
  EXPECT_LE(largest_difference(dense.loo.probability, other.loo.probability), 1e-6) << what;
  EXPECT_LE(
      largest_difference(dense.model.questions[0].features.inclusion, other.model.questions[0].features.inclusion),
      1e-6)
      << what;
  EXPECT_LE(largest_difference(dense.model.questions[0].features.weight, other.model.questions[0].features.weight),
            1e-6)
      << what;
  EXPECT_EQ(dense.model.preprocessing.kept, other.model.preprocessing.kept) << what;
}

class CompactFit : public testing::TestWithParam<bool> {};

TEST_P(CompactFit, IsTheDenseFit) {
  const auto table = test::rare_genotypes(60, 110, GetParam());
  const test::AllForms files(table);
  for (const Solver solver : {Solver::ep, Solver::gamp, Solver::amp}) {
    const Fit dense = fit(read_dataset(files.csv), quick(solver));
    const PredictOptions means{.fill_means = true};  // what only a dense table's rows could tell is not told
    const auto expected = predict(dense.model, read_dataset(files.csv), means).of(1);
    for (const Form& form : compact_forms(files)) {
      const Dataset data = read_dataset(form.path, form.read);
      ASSERT_FALSE(data.features.is_dense()) << form.name;
      const Fit f = fit(data, quick(solver));
      expect_same(dense, f, std::string(form.name) + ", " + to_string(solver));
      EXPECT_LE(largest_difference(expected, predict(f.model, data, means).of(1)), 1e-6) << form.name;
      Model without_training = f.model;  // fields alone: nothing is made dense
      without_training.training = {};
      Model dense_without = dense.model;
      dense_without.training = {};
      EXPECT_LE(largest_difference(predict(dense_without, read_dataset(files.csv), means).of(1),
                                   predict(without_training, data, means).of(1)),
                1e-6)
          << form.name;
    }
  }
}

TEST_P(CompactFit, IsTheSameInSeveralProcesses) {
  const auto table = test::rare_genotypes(40, 60, GetParam());
  const test::AllForms files(table);
  for (const Solver solver : {Solver::ep, Solver::amp})
    for (const Form& form : compact_forms(files)) {
      const Fit one = fit(read_dataset(form.path, form.read), quick(solver));
      std::vector<Fit> fits(2);
      test::ThreadShards::run(fits.size(), [&](const Shards& shards) {
        ReadOptions read = form.read;
        read.part = shards.rank();
        read.parts = shards.ranks();
        FitOptions options = quick(solver);
        fits[shards.rank()] = fit(read_dataset(form.path, read), options, shards);
      });
      for (const Fit& f : fits) {
        expect_same(one, f, form.name);
        EXPECT_EQ(f.model.training.values.values, one.model.training.values.values) << form.name;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Missing, CompactFit, testing::Bool());

TEST(CompactFit, RefitsLeaveOneOut) {
  const test::AllForms files(test::rare_genotypes(40, 60, true));
  FitOptions options = quick(Solver::ep);
  options.selection.check_loo = 10;
  const Fit dense = fit(read_dataset(files.csv), options);
  for (const Form& form : compact_forms(files)) {
    const Fit f = fit(read_dataset(form.path, form.read), options);
    EXPECT_EQ(f.questions[0].loo_check->checked, dense.questions[0].loo_check->checked) << form.name;
    EXPECT_NEAR(f.questions[0].loo_check->largest_difference, dense.questions[0].loo_check->largest_difference, 1e-6)
        << form.name;
  }
}

TEST(CompactFit, VariantsAreFilteredByFrequencyAndMissingCalls) {
  const test::AllForms files(test::rare_genotypes(60, 40, true));
  FitOptions options = quick(Solver::ep);
  options.preprocessing.least_frequency = 0.05;
  options.preprocessing.most_missing = 0.2;
  const Fit f = fit(read_dataset(files.bed, {.compact = true}), options);
  EXPECT_GE(f.model.preprocessing.kept.size(), 5U);
  EXPECT_LT(f.model.preprocessing.kept.size(), 30U);
  EXPECT_EQ(std::count(f.model.preprocessing.kept.begin(), f.model.preprocessing.kept.end(), 39U), 0);
  std::string notes;
  for (const auto& note : f.data.notes) notes += note + "\n";
  EXPECT_NE(notes.find("more than 20 % of the calls are missing"), std::string::npos) << notes;
  EXPECT_NE(notes.find("frequency below 0.05"), std::string::npos) << notes;
  test::expect_error<UsageError>([&] { fit(read_dataset(files.csv), options); }, {"genotypes"});
}

TEST(CompactFit, SamplesWithoutPhenotypeAreLeftOut) {
  auto table = test::rare_genotypes(50, 40, false);
  const test::AllForms files(table);
  const std::string fam = test::read_file(files.dir.path("t.fam"));
  std::string changed = fam;
  for (const char* sample : {"f3 s3 0 0 1 ", "f9 s9 0 0 1 "}) {
    const std::size_t at = changed.find(sample) + std::string(sample).size();
    changed.replace(at, 1, "-9");
  }
  files.dir.write("t.fam", changed);
  const Dataset data = read_dataset(files.bed, {.compact = true});
  EXPECT_EQ(data.samples(), 48U);
  EXPECT_EQ(data.classes.size(), 48U);
  EXPECT_EQ(data.sample_names[2], "s4");
  EXPECT_EQ(fit(data, quick(Solver::ep)).data.samples, 48U);
  const Dataset all = read_dataset(files.bed, {.labels_required = false, .compact = true});
  EXPECT_EQ(all.samples(), 50U);
}

TEST(CompactFit, ProcessesThatReadOtherDataSaySo) {
  const test::AllForms files(test::rare_genotypes(40, 30, false));
  const test::AllForms others(test::rare_genotypes(40, 31, false));
  const auto fit_different = [&] {
    test::ThreadShards::run(2, [&](const Shards& shards) {
      FitOptions options = quick(Solver::amp);
      fit(read_dataset(shards.rank() == 0 ? files.bed : others.bed, {.compact = true}), options, shards);
    });
  };
  test::expect_error<InputError>(fit_different, {"process 1", "31 features", "same file"});
}

}  // namespace
}  // namespace cavity
