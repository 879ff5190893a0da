// Model files of every released version load for ever and predict what they predicted: tests/store/golden holds, for
// VERSION-NAME.cavity, the predictions VERSION-NAME.csv of the table new.csv. And what is done to a golden file on
// purpose, checksum put right, ends in an error of ours or in probabilities.
#include <gtest/gtest.h>

#include <filesystem>

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

std::vector<double> recorded(std::filesystem::path model) {
  std::vector<double> out;
  std::istringstream lines(test::read_file(model.replace_extension(".csv").string()));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) out.push_back(std::stod(line.substr(line.find(',') + 1)));
  return out;
}

TEST(GoldenModels, PredictWhatTheyPredicted) {
  ASSERT_GE(golden_models().size(), 3U);
  for (const auto& path : golden_models()) {
    const Model model = load_model(path.string());
    const std::vector<double> now = predict(model, new_samples(model)).probability, then = recorded(path);
    ASSERT_EQ(now.size(), then.size()) << path;
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_NEAR(now[i], then[i], 1e-9) << path << " sample " << i;
    EXPECT_EQ(model_bytes(model_from_bytes(model_bytes(model))), model_bytes(model)) << path;
  }
}

TEST(GoldenModels, ForgedFilesAreRefusedOrPredict) {
  Random random(11);
  int predicted = 0;
  for (const auto& path : golden_models()) {
    const std::string whole = test::read_file(path.string());
    for (int trial = 0; trial < 400; ++trial) {
      std::string bytes = whole;
      for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits)
        bytes[32 + random.below(bytes.size() - 40)] = static_cast<char>(random.below(256));
      try {
        const Model model = model_from_bytes(test::sealed(bytes));
        for (const double p : predict(model, new_samples(model)).probability) ASSERT_TRUE(p >= 0 && p <= 1) << p;
        ranked_features(model);
        ++predicted;
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(predicted, 100);  // most bytes are numbers, and one number is as good as another
}

}  // namespace
}  // namespace cavity
