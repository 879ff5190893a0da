// What a fit was given, a prediction takes in the same way: labels, covariates and groups in the table, in a sample
// sheet or in files of their own, for every form of a table; and wherever they stand, the answer is the same.
#include <gtest/gtest.h>

#include <map>

#include "support/one_table_in_all_forms.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

enum class At { nowhere, table, sheet, file };
constexpr std::array<const char*, 4> place_names = {"nowhere", "table", "sheet", "file"};

/// Where labels, covariates and groups stand.
struct Places {
  At labels, covariates, groups;
  bool sheet() const { return labels == At::sheet || covariates == At::sheet || groups == At::sheet; }
  std::string text() const {
    const auto name = [](At at) { return place_names[static_cast<std::size_t>(at)]; };
    return fmt::format("labels {}, covariates {}, groups {}", name(labels), name(covariates), name(groups));
  }
};

struct Form {
  std::string name;
  std::string id;  // before the sample's number
  std::vector<At> labels, covariates, groups;
  bool text = false;  // columns of the table have names
};

const std::vector<Form> forms = {
    {"csv",
     "s",
     {At::table, At::sheet},
     {At::nowhere, At::table, At::sheet, At::file},
     {At::nowhere, At::table, At::sheet},
     true},
    {"lying",
     "s",
     {At::table, At::sheet},
     {At::nowhere, At::table, At::sheet, At::file},
     {At::nowhere, At::table, At::sheet},
     true},
    {"t.svm", "", {At::table, At::sheet}, {At::nowhere, At::sheet, At::file}, {At::nowhere, At::sheet}},
    {"t.mtx", "", {At::file, At::sheet}, {At::nowhere, At::sheet, At::file}, {At::nowhere, At::sheet}},
    {"t.npy", "", {At::file, At::sheet}, {At::nowhere, At::sheet, At::file}, {At::nowhere, At::sheet}},
    {"t.bed", "s", {At::table, At::file, At::sheet}, {At::nowhere, At::sheet, At::file}, {At::nowhere, At::sheet}},
};

class RoundTripCli : public testing::Test {
 protected:
  static constexpr std::size_t samples = 24, variants = 12;

  /// A header and a line a sample: id, and what is asked for.
  std::string columns(const Form& form, bool labels, bool covariates, bool groups) const {
    std::string out = "id";
    for (const auto& [wanted, names] : {std::pair(labels, ",label"), {covariates, ",age,sex"}, {groups, ",patient"}})
      if (wanted) out += names;
    for (std::size_t i = 0; i < samples; ++i) {
      out += fmt::format("\n{}{}", form.id, i + 1);
      if (labels) out += fmt::format(",{}", table.labels[i]);
      if (covariates) out += fmt::format(",{},{}", 40 + 7 * i % 31, i % 3 == 0 ? "f" : "m");
      if (groups) out += fmt::format(",p{}", i / 2);
    }
    return out + "\n";
  }

  /// With the columns that stand in it, upright or on its side.
  std::string text_table(const Form& form, const Places& at) const {
    std::vector<std::vector<std::string>> cells;
    std::istringstream lines(columns(form, at.labels == At::table, at.covariates == At::table, at.groups == At::table));
    for (std::string line; std::getline(lines, line);) {
      cells.emplace_back();
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) cells.back().push_back(field);
      for (std::size_t l = 0; l < variants; ++l)
        cells.back().push_back(cells.size() == 1 ? fmt::format("v{}", l + 1)
                                                 : fmt::format("{}", table.at(cells.size() - 2, l)));
    }
    cells[0][0] = "";
    const bool lying = form.name == "lying";
    std::string out;
    for (std::size_t i = 0; i < (lying ? cells[0].size() : cells.size()); ++i)
      for (std::size_t j = 0, last = (lying ? cells.size() : cells[0].size()) - 1; j <= last; ++j)
        out += (lying ? cells[j][i] : cells[i][j]) + (j < last ? "," : "\n");
    return out;
  }

  struct Words {
    std::string both, fit;
  };

  /// The data and the options that say where things are.
  Words words(const Form& form, const Places& at) const {
    Words out;
    out.both = " " + (form.text ? folder().write("t.csv", text_table(form, at)) : folder().path(form.name));
    if (form.name == "lying") out.both += " --transpose";
    if (at.sheet()) {
      const std::string sheet =
          columns(form, at.labels == At::sheet, at.covariates == At::sheet, at.groups == At::sheet);
      out.both += " --samples " + folder().write("sheet.csv", sheet);
    }
    if (at.labels == At::file) out.both += " --labels " + forms_.labels_file;
    if (at.covariates == At::file)
      out.both += " --covariate-file " + folder().write("covariates", columns(form, false, true, false));
    if (at.covariates == At::table || at.covariates == At::sheet) out.fit += " --covariates age,sex";
    if (at.groups != At::nowhere) out.fit += " --group patient";
    return out;
  }

  std::string predicted(const Form& form, const Places& at) const {
    const Words said = words(form, at);
    const std::string model = folder().path("m.cavity"), what = form.name + ": " + at.text();
    const Outcome fit = run_cavity("fit -q --threads 1 --density 0.3 --noise 0.1 -o " + model + said.both + said.fit);
    EXPECT_EQ(fit.code, 0) << what << "\n" << fit.err;
    const Outcome out = run_cavity("predict -q " + model + said.both);
    EXPECT_EQ(out.code, 0) << what << "\n" << out.err;
    EXPECT_NE(out.out.find("truth"), std::string::npos) << what << "\n" << out.out;
    return out.out;
  }

  const TempDir& folder() const { return forms_.dir; }
  const GenotypeText table = rare_genotypes(samples, variants, false);
  const AllForms forms_{table};
};

TEST_F(RoundTripCli, EveryFormAndEveryPlace) {
  for (const Form& form : forms) {
    std::map<std::pair<bool, bool>, std::string> first;
    for (const At labels : form.labels)
      for (const At covariates : form.covariates)
        for (const At groups : form.groups) {
          const Places at{labels, covariates, groups};
          if (at.labels == At::file && at.sheet()) continue;  // a usage error
          const std::string now = predicted(form, at);
          const auto [same, fresh] = first.emplace(std::pair(covariates != At::nowhere, groups != At::nowhere), now);
          EXPECT_EQ(same->second, now) << form.name << ": " << at.text();
        }
  }
}

}  // namespace
}  // namespace cavity::test
