// Pure noise with numbers of patients in order of class: left out and said where columns have names, warned of
// elsewhere.
#include <gtest/gtest.h>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

/// Forty samples of noise; the first column is value(i).
template <class Value>
std::string noise(const std::string& header, const Value& value) {
  Random random(11);
  std::string out = header;
  for (int i = 0; i < 40; ++i) {
    out += fmt::format("{},{}", value(i), i < 20 ? "n" : "t");
    for (int j = 0; j < 30; ++j) out += fmt::format(",{:.4f}", random.normal());
    out += "\n";
  }
  return out;
}

std::string names(const std::string& first) {
  std::string out = first + ",label";
  for (int j = 0; j < 30; ++j) out += fmt::format(",g{}", j);
  return out + "\n";
}

bool warns_of_ids(const Json& fit) {
  return std::any_of(fit["warnings"].begin(), fit["warnings"].end(),
                     [](const Json& w) { return w["name"] == "ids-among-features"; });
}

const std::string cell = " --density 0.1 --noise 0.1";

TEST(IdsCli, NumbersOfPatientsAreNoFeatures) {
  const TempDir folder;
  const auto in_order = [](int i) { return 1000 + i; };
  const auto with_gaps = [](int i) { return 1000 + 7 * i + (i * i) % 5; };
  const auto shuffled = [](int i) { return 1000 + (i * 7) % 20 + 20 * (i / 20); };
  const std::string tables[] = {noise(names("number_of_row"), in_order), noise(names("x"), with_gaps),
                                noise(names("patient"), shuffled)};
  for (const std::string& table : tables) {
    const std::string data = folder.write("t.csv", table);
    const Json fit = run_json("fit " + data + cell);
    EXPECT_EQ(fit["features"], 30);
    EXPECT_GT(fit["loo_error"].get<double>(), 0.2);
    EXPECT_NE(fit["notes"].dump().find("left out: "), std::string::npos) << fit["notes"].dump();
    EXPECT_FALSE(warns_of_ids(fit));
  }
  const Json kept = run_json("fit " + folder.write("t.csv", tables[0]) + " --keep number_of_row" + cell);
  EXPECT_EQ(kept["features"], 31);
  EXPECT_TRUE(warns_of_ids(kept));
  EXPECT_EQ(run_json("fit " + folder.path("t.csv") + " --drop g1,g2" + cell)["features"], 28);
}

TEST(IdsCli, ColumnsWithoutNamesBringAWarning) {
  const TempDir folder;
  const std::string data = folder.write("t.csv", noise("", [](int i) { return 1000 + i; }));
  const Json fit = run_json("fit " + data + " --no-header --label 2" + cell);
  EXPECT_EQ(fit["features"], 31);
  EXPECT_TRUE(warns_of_ids(fit)) << fit["warnings"].dump();
}

TEST(IdsCli, ClassesThatDifferInCaseBringAWarning) {
  const TempDir folder;
  std::string table = noise(names("g"), [](int i) { return 0.5 * i * i; });
  std::size_t at = 0;
  for (int i = 0; (at = table.find(",t,", at + 1)) != std::string::npos; ++i)
    if (i % 2 == 0) table.replace(at, 3, ",T,");
  const Json fit = run_json("fit " + folder.write("t.csv", table) + cell);
  EXPECT_NE(fit["warnings"].dump().find("classes-spelled-alike"), std::string::npos);
}

}  // namespace
}  // namespace cavity::test
