// `cavity panel` through the binary: what it prints and writes, and what it refuses.
#include <gtest/gtest.h>

#include "cavity/report.hpp"

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class PanelCli : public testing::Test {
 protected:
  TempDir folder;
  const std::string data = folder.write("d.csv", separable_table(60, 40).csv());
  const std::string quick = " --density 0.1 --noise 0.05 --folds 5 --repeats 1 ";
};

TEST_F(PanelCli, PricesEverySize) {
  const auto out = run_json("panel " + data + quick + "--most 3");
  EXPECT_EQ(out["path"][0], "g1");
  ASSERT_EQ(out["sizes"].size(), 3U);
  EXPECT_EQ(out["sizes"][0]["adds"], "g1");
  EXPECT_LT(out["sizes"][0]["error"].get<double>(), 0.1);
  EXPECT_NEAR(out["sizes"][0]["log_loss_more"].get<double>(),
              out["sizes"][0]["log_loss"].get<double>() - out["whole"]["log_loss"].get<double>(), 1e-9);
  EXPECT_EQ(out["suggested"], 1);
  EXPECT_EQ(out["members"][0]["name"], "g1");
  EXPECT_EQ(out["members"][0]["share"], 1.0);
  EXPECT_EQ(out["folds"], 5);
}

TEST_F(PanelCli, WritesModelsThatNeedTheirFeaturesAlone) {
  const auto out = run_cavity("panel " + data + quick + "--sizes 1,2 -o " + folder.path("p{size}"));
  expect_ok(out, "panel");
  for (const char* part : {"panel of 1 written", "panel of 2 written"})
    EXPECT_NE(out.err.find(part), std::string::npos) << out.err;
  EXPECT_NE(out.out.find("suggested: 1 feature"), std::string::npos) << out.out;
  const std::string few = folder.write("few.csv", "g1\n-2\n2\n");
  const Outcome said = run_cavity("predict " + folder.path("p1") + " " + few);
  expect_ok(said, "predict");
  EXPECT_NE(said.out.find(",well\n2,"), std::string::npos) << said.out;
  EXPECT_TRUE(said.out.ends_with(",ill\n")) << said.out;
  const auto score = run_json("score " + folder.path("p2"));
  EXPECT_EQ(score["features"].size(), 2U);
  const Outcome features = run_cavity("features " + folder.path("p2"));
  EXPECT_NE(features.out.find("g1,1,"), std::string::npos) << features.out;
}

TEST_F(PanelCli, TakesHousekeepingFeaturesOff) {
  const std::string model = folder.path("ratio");
  const auto out = run_json("panel " + data + quick + "--most 2 --normalise g5,g6 --size 1 -o " + model);
  EXPECT_EQ(out["normalise"].size(), 2U);
  const Outcome features = run_cavity("features " + model);
  for (const char* name : {"g1,1,", "g5,1,", "g6,1,"}) EXPECT_NE(features.out.find(name), std::string::npos) << name;
  expect_ok(run_cavity("predict " + model + " " + data), "predict");
}

TEST_F(PanelCli, SaysWhoFillsOnePlaceWithAMember) {
  Table table = separable_table(60, 80);
  Random random(3);
  for (auto& row : table.rows) row[2] = fmt::format("{:.4f}", std::stod(row[1]) + 0.15 * random.normal());
  const Outcome out = run_cavity("panel " + folder.write("near.csv", table.csv()) + " --most 1 --folds 2 --repeats 1");
  EXPECT_NE(out.out.find("in one credible set with 'g2'\n"), std::string::npos) << out.out;
}

TEST_F(PanelCli, WritesAPage) {
  if (!has_report_page()) GTEST_SKIP() << "no page in this build";
  const std::string page = folder.path("panel.html");
  const Outcome out = run_cavity("panel " + data + quick + "--most 3 --report " + page);
  expect_ok(out, "panel");
  EXPECT_NE(out.err.find("report written to " + page), std::string::npos) << out.err;
  const std::string text = read_file(page);
  EXPECT_NE(text.find("\"kind\":\"panel\""), std::string::npos);
  EXPECT_NE(text.find("\"sample_class\""), std::string::npos);
}

TEST_F(PanelCli, TakesNamesFromFiles) {
  const std::string from = folder.write("from", "g3\r\n\ng4\n"), cost = folder.write("cost", "name,price\ng3,4\n");
  const auto out = run_json("panel " + data + quick + "--most 5 --from " + from + " --cost " + cost);
  EXPECT_EQ(out["path"].size(), 2U);
  EXPECT_EQ(out["sizes"][1]["cost"], 5.0);
}

TEST_F(PanelCli, RefusesWhatItCannotDo) {
  const std::string bad = folder.write("cost", "g1,2\ng2,dear\n"), empty = folder.write("from", "\n");
  expect_refusal("panel " + data + " --must g1,nobody", 3, {"--must", "nobody"});
  expect_refusal("panel " + data + " --must g1,g2 --size 1", 2, {"--must names 2", "panel of 1"});
  expect_refusal("panel " + data + " --must g1 --never g1", 2, {"g1", "--must", "--never"});
  expect_refusal("panel " + data + " --cost " + bad, 3, {"line 2", "dear"});
  expect_refusal("panel " + data + " --from " + empty, 3, {"no name"});
  expect_refusal("panel " + data + " --sizes 1,2.5", 2, {"--sizes", "2.5"});
  expect_refusal("panel " + data + " -o " + data, 2, {"would replace the data"});
  expect_refusal("panel " + data + " --never g1 --from " + folder.write("one", "g1\n"), 2, {"no feature is left"});
  expect_refusal("panel " + data + " --normalise g1 --must g1", 2, {"--normalise", "--must"});
  expect_refusal("panel " + data + " --whiten", 2, {"--whiten"});
  expect_refusal("panel " + data + " --method fda", 2, {"--method sbc"});
  expect_refusal("panel " + data + " --folds 1", 2, {"--folds"});
  expect_refusal("panel " + data + " --margin -1", 2, {"--margin"});
}

TEST_F(PanelCli, RefusesNamesThatAreNotThere) {
  const std::string others = folder.write("names", "g1\nnobody\n"), price = folder.write("cost", "g1,2\nnobody,3\n");
  for (const char* option : {"--must", "--never", "--normalise"})
    expect_refusal("panel " + data + " " + option + " g1,nobody,noone", 3,
                   {option, "names features that are not in the data", "'nobody'", "'noone'"});
  expect_refusal("panel " + data + " --from " + others, 3, {"--from", "not in the data", "'nobody'"});
  expect_refusal("panel " + data + " --cost " + price, 3, {"--cost", "not in the data", "'nobody'"});
  const std::string free = folder.write("free", "g1,0\n");
  expect_refusal("panel " + data + " --cost " + free, 3, {"--cost", "g1", "positive"});
}

TEST_F(PanelCli, RefusesSizesThatCannotBe) {
  expect_refusal("panel " + data + " --must g1,g2,g3 --most 2", 2, {"--must names 3", "--most"});
  expect_refusal("panel " + data + " --must g1,g2,g3 --sizes 1,2", 2, {"--must names 3", "--most"});
  expect_refusal("panel " + data + " --most 3 --size 4", 2, {"a panel of 4", "--most"});
  expect_refusal("panel " + data + " --most 0", 2, {"--most"});
}

TEST_F(PanelCli, RefusesWhereNothingIsLeftToChoose) {
  std::string all = "g1";
  for (int l = 2; l <= 40; ++l) all += ",g" + std::to_string(l);
  expect_refusal("panel " + data + " --never " + all, 2, {"no feature is left", "--never"});
  Table table = separable_table(60, 40);
  for (auto& row : table.rows) row[4] = "7";
  const std::string constant = folder.write("constant.csv", table.csv());
  expect_refusal("panel " + constant + " --must g4", 3, {"g4", "--must", "does not vary"});
}

}  // namespace
}  // namespace cavity::test
