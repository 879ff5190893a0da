// Model files of every released version load for ever and predict what they predicted: tests/store/golden holds, for
// VERSION-NAME.cavity, the predictions VERSION-NAME.csv of the table new.csv. And what is done to a golden file on
// purpose, checksum put right, ends in an error of ours or in probabilities.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/read.hpp"
#include "support/model_bytes.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

const std::filesystem::path golden = std::filesystem::path(CAVITY_TEST_DATA) / "golden";

std::vector<std::filesystem::path> golden_models() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(golden))
    if (entry.path().extension() == ".cavity") out.push_back(entry.path());
  return out;
}

Dataset new_samples(const Model& model) {
  ReadOptions options{.label = "label", .covariates = {"age", "sex"}, .labels_required = false};
  options.expected_classes = model.class_names;
  options.expected_features = model.preprocessing.feature_names;
  return read_dataset((golden / "new.csv").string(), options);
}

/// A sample: the probability of the positive class after its name, or one a class after name, label and probability.
std::vector<double> recorded(std::filesystem::path model, std::size_t classes) {
  std::vector<double> out;
  std::istringstream lines(test::read_file(model.replace_extension(".csv").string()));
  std::string line, cell;
  for (std::getline(lines, line); std::getline(lines, line);) {
    std::istringstream cells(line);
    for (std::size_t skipped = classes > 2 ? 3 : 1; skipped > 0; --skipped) std::getline(cells, cell, ',');
    for (std::size_t k = classes > 2 ? classes : 1; k > 0 && std::getline(cells, cell, ','); --k)
      out.push_back(std::stod(cell));
  }
  return out;
}

/// With means in the place of missing values, as they did.
std::vector<double> predicted(const Model& model) {
  PredictOptions options;
  options.fill_means = true;
  Prediction out = predict(model, new_samples(model), options);
  return model.class_names.size() > 2 ? std::move(out.probabilities) : out.of(1);
}

/// The file but for the version of the program that wrote it.
std::string unversioned(const std::string& file) {
  return test::with_header(file, [](nlohmann::json& header) { header["cavity"] = ""; });
}

TEST(GoldenModels, PredictWhatTheyPredicted) {
  std::map<std::size_t, std::size_t> of_classes;
  for (const auto& path : golden_models()) {
    const Model model = load_model(path.string());
    ++of_classes[model.class_names.size()];
    const std::vector<double> now = predicted(model), then = recorded(path, model.class_names.size());
    ASSERT_EQ(now.size(), then.size()) << path;
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_NEAR(now[i], then[i], 1e-9) << path << " sample " << i;
    EXPECT_EQ(model_bytes(model_from_bytes(model_bytes(model))), model_bytes(model)) << path;
    if (model.class_names.size() > 2) {
      EXPECT_EQ(unversioned(test::read_file(path.string())), unversioned(model_bytes(model))) << path;
    }
  }
  EXPECT_GE(of_classes[2], 3U);
  EXPECT_GE(of_classes[3], 2U);
}

TEST(GoldenModels, ForgedFilesAreRefusedOrPredict) {
  Random random(11);
  int loaded = 0;
  for (const auto& path : golden_models()) {
    const std::string whole = test::read_file(path.string());
    for (int trial = 0; trial < 400; ++trial) {
      std::string bytes = whole;
      for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits)
        bytes[32 + random.below(bytes.size() - 40)] = static_cast<char>(random.below(256));
      try {
        const Model model = model_from_bytes(test::sealed(bytes));
        for (const double p : predicted(model)) ASSERT_TRUE(p >= 0 && p <= 1) << p;
        ranked_features(model);
        ++loaded;
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(loaded, 100);  // most bytes are numbers, and one number is as good as another
}

}  // namespace
}  // namespace cavity
