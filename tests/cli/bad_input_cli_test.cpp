// What users get wrong, through the binary: each has its exit code (2 usage, 3 input, 5 system) and a telling message;
// and data that are odd but legal give a finite answer with a true status.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

class BadInputCli : public testing::Test {
 protected:
  std::string file(const std::string& text, const std::string& name = "data.csv") { return folder.write(name, text); }
  std::string good() { return file(separable_table(20, 15).csv(), "good.csv"); }
  std::string model() {
    expect_ok(run_cavity("fit -q --density 0.1 --noise 0.05 " + good() + " -o " + folder.path("m.cavity")), "fit");
    return folder.path("m.cavity");
  }
  void refuse(const std::string& text, std::initializer_list<std::string> parts) {
    expect_refusal("fit " + file(text), 3, parts);
  }
  TempDir folder;
};

void expect_finite(const Json& fit) {
  for (const Json& cell : question(fit)["grid"]) {
    EXPECT_FALSE(cell["status"].get<std::string>().empty());
    if (cell["status"] == "diverged") continue;
    for (const char* key : {"loo_error", "loo_log_loss", "residual"}) EXPECT_TRUE(cell[key].is_number()) << key;
  }
  for (const char* key : {"loo_error", "loo_log_loss"}) EXPECT_TRUE(fit[key].is_number()) << key;
  for (const char* key : {"train_error", "intercept"}) EXPECT_TRUE(question(fit)[key].is_number()) << key;
  for (const Json& row : fit["loo_probability"])
    for (const Json& p : row) EXPECT_TRUE(p >= 0 && p <= 1);
}

bool warned(const Json& fit, const std::string& name) {
  for (const Json& warning : fit["warnings"])
    if (warning["name"] == name) return true;
  return false;
}

TEST_F(BadInputCli, TablesThatAreNoTables) {
  refuse("label,a,b\nt,1,2\nn,1\nt,2,3\n", {"data.csv", "line 3", "2 fields", "expected 3"});
  refuse("label,a,b\nt,1,2\nn,1,many\nt,2,3\n", {"data.csv", "line 3", "column 3 (b)", "'many'", "NA"});
  refuse("label,a,b\nt,1,2\nt,1,4\nt,2,3\n", {"data.csv", "1 class", "'t' (3)"});
  refuse("label,a,b\nt,1,2\nn,1,4\nu,2,3\n", {"data.csv", "3 classes", "'u' (1)"});
  refuse("", {"data.csv", "empty"});
  refuse("label,a,b\n", {"data.csv", "header", "no samples"});
  refuse("label,a,b,a\nt,1,2,3\nn,1,4,2\n", {"data.csv", "columns 2 and 4", "'a'"});
  refuse("label,a,b\nt,1,2\nn,1,2\nt,1,2\n", {"no feature is left", "2 features", "constant"});
  expect_refusal("fit " + file("a,b\n1,2\n2,1\n"), 2, {"data.csv", "which column is the label?", "'a', 'b'"});
}

TEST_F(BadInputCli, CompressedFilesCutShort) {
  const std::string csv = separable_table(20, 15).csv();
  expect_refusal("fit " + file(gzip(csv).substr(0, 900), "cut.csv.gz"), 3, {"cut.csv.gz", "gzip", "truncated"});
  expect_refusal("fit " + file(zstd(csv).substr(0, 900), "cut.csv.zst"), 3, {"cut.csv.zst", "zstd"});
}

TEST_F(BadInputCli, FilesThatAreNotThere) {
  expect_refusal("fit " + folder.path("none.csv"), 5, {"none.csv", "No such file"});
  expect_refusal("fit " + folder.path("."), 5, {"directory"});
  expect_refusal("predict " + folder.path(".") + " " + good(), 5, {"directory"});
  expect_refusal("predict " + model() + " " + folder.path("."), 5, {"directory"});
  expect_refusal("features " + folder.path("none.cavity"), 5, {"none.cavity", "No such file"});
}

TEST_F(BadInputCli, OptionsThatMakeNoSense) {
  const std::string fit = "fit " + good() + " ";
  expect_refusal(fit + "--frobnicate 3", 2, {"--frobnicate"});
  expect_refusal("frobnicate", 2, {"'frobnicate'", "predict"});
  expect_refusal("", 2, {"subcommand"});
  for (const char* density : {"0", "-0.1", "1.01", "nan", "inf"})
    expect_refusal(fit + "--density " + density, 2, {"density " + std::string(density), "(0, 1]"});
  for (const char* noise : {"-0.1", "0.5", "nan", "2"})
    expect_refusal(fit + "--noise " + noise, 2, {"noise " + std::string(noise), "[0, 0.5)"});
  expect_refusal(fit + "--activation probit --noise 0", 2, {"noise 0", "not positive"});
  expect_refusal(fit + "--density 0.1,much", 2, {"--density", "'much'"});
  expect_refusal(fit + "--density 0.1,", 2, {"--density"});
  expect_refusal(fit + "--solver magic", 2, {"'magic'", "ep"});
  expect_refusal(fit + "--activation relu", 2, {"'relu'", "step"});
  expect_refusal(fit + "--select best", 2, {"'best'", "stack"});
  expect_refusal(fit + "--value-transform sqrt", 2, {"'sqrt'", "rank"});
  expect_refusal(fit + "--grid fine", 2, {"'fine'", "paper"});
  expect_refusal(fit + "--label labels", 2, {"'labels'", "did you mean 'label'"});
  expect_refusal(fit + "--positive sick", 2, {"'sick'", "'ill'"});
  expect_refusal(fit + "--covariates age", 2, {"'age'"});
  expect_refusal(fit + "--max-iterations 0", 2, {"--max-iterations", "'0'"});
  expect_refusal(fit + "--tolerance 0", 2, {"--tolerance"});
  expect_refusal(fit + "--check-loo -1", 2, {"--check-loo", "'-1'"});
  expect_refusal(fit + "--threads 0", 2, {"--threads", "'0'"});
  expect_refusal(fit + "--seed -1", 2, {"--seed", "'-1'"});
  expect_refusal("features " + model() + " --fdr 1", 2, {"--fdr"});
  expect_refusal("features " + model() + " --fdr -0.1", 2, {"--fdr"});
}

TEST_F(BadInputCli, SimulationsThatMakeNoSense) {
  const std::string some = "simulate --samples 5 --features 5 ";
  expect_refusal("simulate --samples -5 --features 5", 2, {"--samples", "'-5'"});
  expect_refusal("simulate --samples 5 --features 0", 2, {"--features", "'0'"});
  expect_refusal(some + "--teacher 0", 2, {"teacher", "(0, 1]"});
  expect_refusal(some + "--noise 0.5", 2, {"noise", "[0, 0.5)"});
  expect_refusal(some + "--names latin", 2, {"'latin'", "genes"});
  expect_refusal(some + "--classes ill", 2, {"--classes", "'ill'"});
  expect_refusal(some + "--classes ill,ill", 2, {"'ill'"});
}

TEST_F(BadInputCli, OptionsAreCheckedBeforeTheDataAreRead) {
  expect_refusal("fit " + folder.path("none.csv") + " --density 2", 2, {"density 2"});
  expect_refusal("fit " + folder.path("none.csv") + " -o " + folder.path("no/m.cavity"), 5, {"m.cavity"});
}

TEST_F(BadInputCli, PredictionWithoutTheModelsColumns) {
  const std::string m = model();
  Table table = separable_table(5, 15);
  table.header[3] = "h3";
  expect_refusal("predict " + m + " " + file(table.csv()) + " --least-explained 1", 3,
                 {"1 of the model's 15 features"});
  expect_refusal("predict " + m + " " + file("label,u,v\nill,1,2\n"), 3, {"data.csv", "'u'", "'g1'"});
  table = separable_table(5, 15);
  table.rows[2][4] = "high";
  expect_refusal("predict " + m + " " + file(table.csv()), 3, {"data.csv", "line 4", "column 5 (g4)", "'high'"});
  table.rows[2].pop_back();
  expect_refusal("predict " + m + " " + file(table.csv()), 3, {"data.csv", "line 4"});
}

TEST_F(BadInputCli, ModelFilesThatAreDamaged) {
  const std::string whole = read_file(model());
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    const std::string cut = file(whole.substr(0, length), "cut.cavity");
    expect_refusal("features " + cut, 3, {"cut.cavity"});
    expect_refusal("predict " + cut + " " + good(), 3, {"cut.cavity"});
  }
  for (const std::size_t at :
       {std::size_t{1}, std::size_t{9}, std::size_t{20}, std::size_t{100}, whole.size() / 2, whole.size() - 3}) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    expect_refusal("features " + file(bytes, "flipped.cavity"), 3, {"flipped.cavity"});
  }
  expect_refusal("features " + good(), 3, {"good.csv", "not a cavity model"});
}

TEST_F(BadInputCli, OutputsThatCannotBeWritten) {
  const std::string fit = "fit -q --density 0.1 --noise 0.05 " + good() + " -o ";
  expect_refusal(fit + folder.path("no/such/m.cavity"), 5, {"m.cavity", "No such file"});
  expect_refusal(fit + folder.path("."), 5, {"directory"});
  std::filesystem::create_directory(folder.path("locked"));
  ::chmod(folder.path("locked").c_str(), 0555);
  if (::geteuid() != 0) expect_refusal(fit + folder.path("locked/m.cavity"), 5, {"m.cavity", "ermission"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("locked")));
  expect_refusal("simulate --samples 5 --features 5 -o " + folder.path("no/x.csv"), 5, {"x.csv"});
  EXPECT_EQ(folder.names().size(), 2u);  // the data and the locked folder: no temporary file is left
  EXPECT_EQ(run_shell("cavity features " + model() + " >/dev/full").code, 5);
  EXPECT_EQ(run_shell("cavity features " + model() + " >/dev/full 2>&1").code, 5);  // nobody to tell
  EXPECT_EQ(run_shell("cavity theory point --ratio 1 --noise 0.05 --teacher 0.1 >/dev/full").code, 5);
}

TEST_F(BadInputCli, AClosedPipeIsNoError) {
  const std::string m = model();
  for (const std::string& command :
       {"features " + m, std::string("simulate --samples 200 --features 1000"), "predict -q " + m + " " + good()}) {
    const Outcome outcome = run_shell("{ cavity " + command + "; echo $? >code; } | head -n 1; cat code >&2");
    EXPECT_EQ(outcome.err, "0\n") << command;
  }
}

TEST_F(BadInputCli, SeparableDataAndNoNoise) {
  const std::string data = good();
  expect_finite(run_json("fit --loo " + data));
  const Json noiseless = run_json("fit --loo --noise 0 " + data);
  expect_finite(noiseless);
  EXPECT_EQ(question(noiseless)["train_error"], 0.0);
  expect_finite(run_json("fit --loo --density 1 --noise 0 " + data));
}

TEST_F(BadInputCli, NoiselessModelOfContradictoryLabels) {
  Table table = separable_table(20, 3);
  table.rows[1] = table.rows[0];
  table.rows[1][0] = table.rows[0][0] == "ill" ? "well" : "ill";
  const Outcome outcome = run_cavity("fit --noise 0 --json " + file(table.csv()));
  EXPECT_TRUE(outcome.code == 4 || outcome.code == 3) << outcome.code << outcome.err;  // no weights fit both
}

TEST_F(BadInputCli, DuplicatedColumns) {
  Table table = separable_table(20, 6);
  for (int copy = 0; copy < 3; ++copy)
    for (std::size_t l = 1; l <= 6; ++l)
      table.add_column(fmt::format("g{}_{}", l, copy), [l](const auto& row) { return row[l]; });
  const Json fit = run_json("fit --loo " + file(table.csv()));
  expect_finite(fit);
  EXPECT_GE(fit["correlated"].size(), 1u);
}

TEST_F(BadInputCli, FourSamples) {
  const Json fit = run_json("fit --loo " + file("label,a,b,c\nt,1,2,3\nn,1,5,2\nt,2,3,4\nn,3,1,1\n"));
  expect_finite(fit);
  EXPECT_TRUE(warned(fit, "few-samples"));
}

TEST_F(BadInputCli, OneSampleInAClass) {
  Table table = separable_table(20, 15);
  for (auto& row : table.rows) row[0] = "many";
  table.rows[4][0] = "single";
  const Json fit = run_json("fit --loo " + file(table.csv()));
  expect_finite(fit);
  EXPECT_TRUE(warned(fit, "few-samples"));
}

TEST_F(BadInputCli, AHundredThousandFeatures) {
  const std::string data = folder.path("wide.npy"),
                    labels = file("a\nb\nb\na\na\nb\na\nb\nb\na\na\nb\na\nb\nb\na\na\nb\na\nb\n");
  Random random(2);
  std::vector<float> values(20 * 100000);
  for (auto& x : values) x = static_cast<float>(random.normal());
  folder.write("wide.npy", npy("<f4", "(20, 100000)", raw(values)));
  const Json fit = run_json("fit --loo --density 0.0005 --noise 0.1 " + data + " --labels " + labels);
  expect_finite(fit);
  EXPECT_EQ(fit["features"], 100000);
}

TEST_F(BadInputCli, ACovariateThatIsTheLabel) {
  for (const bool text : {true, false}) {
    Table table = separable_table(20, 15);
    table.add_column("group",
                     [&](const auto& row) { return text ? row[0] : std::string(row[0] == "ill" ? "1" : "0"); });
    const Json fit = run_json("fit --loo --covariates group " + file(table.csv()));
    expect_finite(fit);
    EXPECT_LE(fit["loo_error"].get<double>(), 0.1) << text;
  }
}

TEST_F(BadInputCli, AConstantCovariate) {
  Table table = separable_table(20, 15);
  table.add_column("site", [](const auto&) { return "here"; });
  const std::string data = file(table.csv()), m = folder.path("m.cavity");
  const Json fit = run_json("fit --loo --covariates site " + data + " -o " + m);
  expect_finite(fit);
  EXPECT_NE(fit["notes"].dump().find("'site' has the same value"), std::string::npos);
  EXPECT_EQ(run_json("predict " + m + " " + data)["samples"].size(), 20u);
}

TEST_F(BadInputCli, AColumnWithoutAnyValueAndOneThatIsTheLabel) {
  Table table = separable_table(20, 15);
  table.add_column("gone", [](const auto&) { return "NA"; });
  table.add_column("told", [](const auto& row) { return row[0] == "ill" ? "1" : "0"; });
  const std::string data = file(table.csv()), m = folder.path("m.cavity");
  const Json fit = run_json("fit --loo " + data + " -o " + m);
  expect_finite(fit);
  EXPECT_EQ(fit["features"], 17);
  EXPECT_EQ(fit["top_features"][0]["name"], "told");
  const Json said = run_json("features " + m);
  for (const Json& feature : said["features"]) EXPECT_TRUE(feature["name"] != "gone" || feature["inclusion"] == 0.0);
}

}  // namespace
}  // namespace cavity::test
