// A fit that was stopped and resumed is, bit for bit, the fit that was not; and what belongs to another fit, or is
// damaged, is refused.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "file/array_file.hpp"
#include "fit/fit_with_shards.hpp"
#include "search/checkpoint.hpp"
#include "search/checkpoint_files.hpp"
#include "support/errors.hpp"
#include "support/tables.hpp"
#include "support/temp_files.hpp"
#include "support/thread_shards.hpp"

namespace cavity {
namespace {

std::string everything(const Fit& fit) {
  std::string out = model_bytes(fit.model);
  const auto add = [&out](double x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); };
  for (const double p : fit.loo.probability) add(p);
  for (const Cell& c : fit.questions[0].grid)
    for (const double x : {c.loo_error, c.loo_log_loss, c.residual, c.weight, c.log_evidence, 1.0 * c.iterations})
      add(x);
  return out;
}

FitOptions quick(Solver solver) {
  FitOptions options;
  options.solver.kind = solver;
  options.threads = 1;
  options.grid.density = {0.5, 0.2, 0.1};
  options.grid.noise = {0.2, 0.05};
  if (solver == Solver::gibbs) options.solver.max_iterations = 100;
  return options;
}

class CheckpointTest : public testing::Test {
 protected:
  FitOptions kept(FitOptions options, bool resume) const {
    options.checkpoint = {folder.path("c"), 0, resume};
    return options;
  }
  FitOptions resumed(Solver solver) const { return kept(quick(solver), true); }

  /// Stops after so many cells.
  void stop_after(std::size_t cells, FitOptions options) const {
    std::size_t solved = 0;
    options.observer.progress = [&](const Progress&) { return ++solved < cells; };
    EXPECT_THROW(fit(data, options), Interrupted);
    EXPECT_EQ(solved, cells);
  }

  test::TempDir folder;
  const Dataset data = test::skewed_table(30, 40);
};

TEST_F(CheckpointTest, AResumedFitHasTheSameBits) {
  for (const Solver solver : {Solver::ep, Solver::gamp, Solver::amp, Solver::bp, Solver::gibbs}) {
    const std::string whole = everything(fit(data, quick(solver)));
    for (std::size_t cells = 1; cells <= 6; ++cells) {
      const std::string what = std::to_string(static_cast<int>(solver)) + " after " + std::to_string(cells);
      stop_after(cells, kept(quick(solver), false));
      FitOptions options = resumed(solver);
      std::size_t solved = 0, first = 0;
      options.observer.progress = [&](const Progress& p) {
        if (++solved == 1) first = p.cell;
        return true;
      };
      const Fit f = fit(data, options);
      EXPECT_TRUE(everything(f) == whole) << what;
      EXPECT_EQ(solved, 6 - cells) << what;
      EXPECT_EQ(f.resources.resumed_cells, cells) << what;
      EXPECT_EQ(first, cells < 6 ? cells + 1 : 0) << what;
      remove_checkpoint(options.checkpoint);
      EXPECT_TRUE(folder.names().empty()) << what;
    }
  }
}

/// The file with one of its arrays of doubles replaced, its checksum put right.
void forge(const std::string& path, const std::string& name, const std::vector<double>& values) {
  const ArrayReader file(read_bytes(path), path, {"a checkpoint", "checkpoint", ""});
  nlohmann::json header = file.header();
  ArrayWriter out;
  std::deque<std::vector<double>> doubles;
  std::deque<std::vector<float>> floats;
  std::deque<std::vector<std::uint32_t>> words;
  for (const auto& row : header["arrays"]) {
    const std::string own = row["name"], type = row["type"];
    if (own == name)
      out.add(own, values);
    else if (type == "f64")
      out.add(own, doubles.emplace_back(file.read<double>(own)));
    else if (type == "f32")
      out.add(own, floats.emplace_back(file.read<float>(own)));
    else
      out.add(own, words.emplace_back(file.read<std::uint32_t>(own)));
  }
  header.erase("arrays");
  out.write(header, path);
}

TEST_F(CheckpointTest, WhatLacksValuesIsRefused) {
  for (const char* name : {"0.loo", "0.inclusion", "0.cavity_variance", "0.state_mean", "0.state_linear"}) {
    stop_after(2, kept(quick(Solver::ep), false));
    forge(folder.path("c"), name, {});
    test::expect_error<InputError>([&] { fit(data, resumed(Solver::ep)); }, {"c: ", "lacks values", "remove it"});
    remove_checkpoint(resumed(Solver::ep).checkpoint);
  }
}

TEST_F(CheckpointTest, StoppedAgainAndAgainWithAnyThreads) {
  const std::string whole = everything(fit(data, quick(Solver::ep)));
  for (const unsigned threads : {1U, 2U, 4U}) {
    FitOptions options = kept(quick(Solver::ep), true);  // the first finds nothing, and starts
    options.threads = threads;
    options.observer.progress = [](const Progress& p) { return p.cell == p.cells; };
    std::size_t stops = 0;
    for (; stops < 6; ++stops) {
      try {
        EXPECT_TRUE(everything(fit(data, options)) == whole) << threads;
        break;
      } catch (const Interrupted&) {
      }
    }
    EXPECT_GE(stops, 2U);
    EXPECT_LE(stops, 5U);
    remove_checkpoint(options.checkpoint);
  }
}

TEST_F(CheckpointTest, WritesNothingBeforeItIsTime) {
  FitOptions options = kept(quick(Solver::ep), false);
  options.checkpoint.minutes = 60;
  fit(data, options);
  EXPECT_TRUE(folder.names().empty());
}

// The last cells of a batch of amp are solved one by one, in double: also when the others came from a checkpoint.
TEST_F(CheckpointTest, AmpRemembersHowLongItWasABatch) {
  FitOptions options = quick(Solver::amp);
  options.grid.density = {0.5, 0.2};
  options.grid.noise = {0.2, 0.1};
  const std::string whole = everything(fit(data, options));
  stop_after(2, kept(options, false));
  EXPECT_TRUE(everything(fit(data, kept(options, true))) == whole);
}

/// Both processes stop after so many cells, 0: neither does; the fit of the first.
Fit fit_in_two(const Dataset& data, const FitOptions& options, std::size_t cells) {
  std::vector<Fit> fits(2);
  test::ThreadShards::run(2, [&](const Shards& shards) {
    FitOptions mine = options;
    std::size_t solved = 0;
    if (cells > 0) mine.observer.progress = [&](const Progress&) { return ++solved < cells; };
    fits[shards.rank()] = fit(data, mine, shards);
    if (cells == 0) remove_checkpoint(mine.checkpoint, shards);
  });
  return fits.front();
}

TEST_F(CheckpointTest, SeveralProcessesGoOnFromWhatAllHave) {
  for (const Solver solver : {Solver::ep, Solver::gamp, Solver::amp}) {
    const std::string whole = everything(fit_in_two(data, quick(solver), 0));
    for (std::size_t cells = 2; cells < 6; ++cells) {
      EXPECT_THROW(fit_in_two(data, kept(quick(solver), false), cells), Interrupted);
      // As if the second had been killed before it wrote the last, then the first before it wrote it again.
      std::filesystem::rename(folder.path("c.1of2.before"), folder.path("c.1of2"));
      EXPECT_THROW(fit_in_two(data, resumed(solver), 1), Interrupted);
      std::filesystem::rename(folder.path("c.0of2.before"), folder.path("c.0of2"));
      const Fit f = fit_in_two(data, resumed(solver), 0);
      EXPECT_EQ(f.resources.resumed_cells, cells - 1);
      EXPECT_TRUE(everything(f) == whole) << cells;
      EXPECT_TRUE(folder.names().empty());
    }
  }
}

TEST_F(CheckpointTest, PartsThatDoNotBelongTogetherAreRefused) {
  EXPECT_THROW(fit_in_two(data, kept(quick(Solver::ep), false), 1), Interrupted);
  const std::string one_cell = test::read_file(folder.path("c.1of2"));
  EXPECT_THROW(fit_in_two(data, resumed(Solver::ep), 3), Interrupted);
  folder.write("c.1of2", one_cell);
  std::filesystem::remove(folder.path("c.1of2.before"));
  test::expect_error<InputError>([&] { fit_in_two(data, resumed(Solver::ep), 0); }, {"different times", "remove all"});
  std::filesystem::remove(folder.path("c.1of2"));
  EXPECT_EQ(fit_in_two(data, resumed(Solver::ep), 0).resources.resumed_cells, 0U);  // a part is lost: all start again
}

TEST_F(CheckpointTest, AnotherNumberOfProcessesIsRefused) {
  EXPECT_THROW(fit_in_two(data, kept(quick(Solver::ep), false), 2), Interrupted);
  test::expect_error<UsageError>([&] { fit(data, resumed(Solver::ep)); }, {"2 processes", "has 1", "remove"});
  test::expect_error<UsageError>([&] { fit(data, kept(quick(Solver::ep), false)); }, {"of2 is there already"});
  for (const std::string& part : folder.names()) std::filesystem::remove(folder.path(part));
  stop_after(2, kept(quick(Solver::ep), false));
  test::expect_error<UsageError>([&] { fit_in_two(data, resumed(Solver::ep), 0); }, {"of 1 process,", "has 2"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"c"});
}

TEST_F(CheckpointTest, OtherOptionsAreRefused) {
  stop_after(2, kept(quick(Solver::ep), false));
  const auto refuse = [&](const auto& change, const std::string& part) {
    FitOptions options = resumed(Solver::ep);
    change(options);
    test::expect_error<UsageError>([&] { fit(data, options); }, {folder.path("c"), part, "there", "remove it"});
  };
  refuse([](FitOptions& o) { o.grid.density = {0.5, 0.2}; }, "density ([0.5,0.2,0.1] there, [0.5,0.2] here)");
  refuse([](FitOptions& o) { o.grid.noise = {0.3, 0.05}; }, "noise");
  refuse([](FitOptions& o) { o.solver.kind = Solver::amp; }, R"(solver ("ep" there, "amp" here))");
  refuse([](FitOptions& o) { o.activation = ActivationKind::probit; }, "activation");
  refuse([](FitOptions& o) { o.solver.tolerance = 1e-7; }, "tolerance");
  refuse([](FitOptions& o) { o.solver.max_iterations = 7; }, "max iterations");
  refuse([](FitOptions& o) { o.intercept = false; }, "intercept");
  refuse([](FitOptions& o) { o.preprocessing.unit_variance = false; }, "unit variance");
  FitOptions same = resumed(Solver::ep);  // what comes after the cells may change
  same.selection.by = Selection::loo_error;
  same.keep_variances = false;
  EXPECT_EQ(fit(data, same).resources.resumed_cells, 2U);
}

TEST_F(CheckpointTest, OtherDataAreRefused) {
  stop_after(2, kept(quick(Solver::ep), false));
  const auto refuse = [&](const auto& change, const std::string& part) {
    Dataset other = data;
    change(other);
    test::expect_error<InputError>([&] { fit(other, resumed(Solver::ep)); }, {"another fit", part});
  };
  refuse([](Dataset& d) { d.features.dense().row(3)[5] *= 1.001F; }, "values");
  refuse([](Dataset& d) { std::swap(d.classes[0], d.classes[1]); }, "labels");
  refuse([](Dataset& d) { d.feature_names[7] = "other"; }, "names of the features");
  refuse([](Dataset& d) { d = test::skewed_table(30, 41); }, "features (40 there, 41 here)");
  refuse([](Dataset& d) { d = test::skewed_table(31, 40); }, "samples (30 there, 31 here)");
}

TEST_F(CheckpointTest, ADamagedFileIsRefused) {
  stop_after(3, kept(quick(Solver::ep), false));
  const std::string whole = test::read_file(folder.path("c"));
  const auto refuse = [&](const std::string& bytes) {
    folder.write("c", bytes);
    test::expect_error<InputError>([&] { fit(data, resumed(Solver::ep)); }, {folder.path("c"), "checkpoint"});
    EXPECT_EQ(test::read_file(folder.path("c")), bytes);
  };
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() / 2, whole.size() - 1})
    refuse(whole.substr(0, length));
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 40) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    refuse(bytes);
  }
  refuse(whole + "x");
  refuse(model_bytes(fit(data, quick(Solver::ep)).model));
  folder.write("c", whole.substr(0, whole.size() - 1));
  test::expect_error<InputError>([&] { fit(data, resumed(Solver::ep)); }, {"damaged", "remove it to start again"});
}

TEST_F(CheckpointTest, AFileThatIsThereIsNotOverwritten) {
  stop_after(2, kept(quick(Solver::ep), false));
  test::expect_error<UsageError>([&] { fit(data, kept(quick(Solver::ep), false)); }, {"is there already", "`resume`"});
  FitOptions nowhere = quick(Solver::ep);
  nowhere.checkpoint.file = folder.path("no/c");
  EXPECT_THROW(fit(data, nowhere), IoError);
}

}  // namespace
}  // namespace cavity
