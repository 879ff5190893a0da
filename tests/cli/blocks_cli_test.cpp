// --block: from several files to a model and a prediction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class BlocksCli : public testing::Test {
 protected:
  BlocksCli() {
    Random random(5);
    std::string a = "id,label,g1,g2,g3\n", b = "id", c = "id,q1,q2\n";
    for (int l = 0; l < 40; ++l) b += fmt::format(",m{}", l);
    b += "\n";
    for (int i = 0; i < 30; ++i) {
      const double x = random.normal(), y = random.normal();
      a += fmt::format("s{},{},{},{},{}\n", i, x > 0 ? "t" : "n", x + 0.1 * random.normal(), y, x - y);
      b += fmt::format("s{}", 29 - i);
      for (int l = 0; l < 40; ++l) b += fmt::format(",{}", random.normal());
      b += "\n";
      if (i % 3 > 0) c += fmt::format("s{},{},{}\n", i, x, y);
    }
    rna = folder.write("rna.csv", a);
    meth = folder.write("meth.csv", b);
    clinic = folder.write("clinic.csv", c);
    model = folder.path("m.cavity");
  }
  std::string fit() const {
    return "fit " + rna + " --block meth=" + meth + " --block clinic=" + clinic +
           " --density 0.5 --noise 0.05 --threads 1";
  }
  TempDir folder;
  std::string rna, meth, clinic, model;
};

TEST_F(BlocksCli, FitSaysWhatEachAddsAndThePredictionTakesWhatIsThere) {
  const auto json = run_json(fit() + " -o " + model);
  const auto& blocks = json.at("blocks").at("blocks");
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].at("name"), "rna");
  EXPECT_EQ(blocks[2].at("lacking"), 10);
  EXPECT_EQ(json.at("features"), 45);
  const Outcome text = run_cavity(fit());
  expect_ok(text, "text");
  EXPECT_NE(text.out.find("without it"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("meth: not shown to add to the others"), std::string::npos) << text.out;
  const std::string all = " --block meth=" + meth + " --block clinic=" + clinic + " -q";
  const Outcome whole = run_cavity("predict " + model + " " + rna + all),
                part = run_cavity("predict " + model + " " + clinic + " --block-name clinic -q");
  expect_ok(whole, "predict");
  expect_ok(part, "predict one block");
  EXPECT_EQ(std::count(whole.out.begin(), whole.out.end(), '\n'), 31);
  EXPECT_EQ(std::count(part.out.begin(), part.out.end(), '\n'), 21);
  const Outcome list = run_cavity("features " + model);
  expect_ok(list, "features");
  EXPECT_NE(list.out.find(",q,block\n"), std::string::npos);
  EXPECT_NE(list.out.find(",meth\n"), std::string::npos);
  EXPECT_EQ(run_json("features " + model).at("features").at(0).count("block"), 1U);
}

TEST_F(BlocksCli, WhatIsNoBlockIsRefused) {
  expect_ok(run_cavity(fit() + " -q -o " + model), "fit");
  expect_refusal("fit " + rna + " --block meth", 2, {"NAME=FILE"});
  expect_refusal("fit " + rna + " --block rna=" + meth, 2, {"two blocks are called 'rna'"});
  expect_refusal("fit " + rna + " --block meth=" + meth + " --method sbl", 2, {"--method sbl takes one table"});
  expect_refusal("predict " + model + " " + rna + " --block methyl=" + meth, 2, {"no block 'methyl'", "'meth'"});
  expect_refusal("fit " + rna + " --block meth=" + meth + " -o " + meth, 2, {"a block"});
}

TEST_F(BlocksCli, NoOtherTableIsTheFitOfBefore) {
  const std::string options = " --density 0.5 --noise 0.05 --threads 1 --json --loo";
  const auto plain = run_json("fit " + rna + options), named = run_json("fit " + rna + " --block-name rna" + options);
  EXPECT_EQ(plain.at("loo_probability"), named.at("loo_probability"));
  EXPECT_TRUE(plain.at("blocks").is_null());
}

}  // namespace
}  // namespace cavity::test
