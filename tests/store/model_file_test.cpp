#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "file/checksum.hpp"
#include "support/errors.hpp"
#include "support/model_bytes.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::small_model;

class ModelFile : public testing::Test {
 protected:
  std::string saved() {
    save_model(small_model(), dir_.path("m.cavity"));
    return test::read_file(dir_.path("m.cavity"));
  }
  void refuse(const std::string& bytes, std::initializer_list<std::string> parts) {
    const std::string path = dir_.write("bad.cavity", bytes);
    expect_error<InputError>([&] { load_model(path); }, parts);
  }
  /// Changes m.cavity in place: thousands of new files would take their time.
  void overwrite(std::size_t at, const std::string& bytes) {
    std::fstream file(dir_.path("m.cavity"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at)).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// With the checksum made right again, as a hostile file would have it.
  static std::string resummed(std::string bytes) {
    const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, bytes.size() - 8));
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    return bytes;
  }
  static std::string edited(std::string bytes, const std::string& from, const std::string& to) {
    EXPECT_EQ(from.size(), to.size());
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return resummed(bytes.replace(at, from.size(), to));
  }
  test::TempDir dir_;
};

TEST_F(ModelFile, GivesBackEveryMember) {
  saved();
  const Model a = small_model(), b = load_model(dir_.path("m.cavity"));
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.label_name, b.label_name);
  EXPECT_EQ(a.questions[0].mixture.activation, b.questions[0].mixture.activation);
  EXPECT_EQ(a.questions[0].mixture.covariate_precision, b.questions[0].mixture.covariate_precision);
  EXPECT_EQ(std::pair(0.01, 1.5),
            std::pair(b.calibration.recalibration.value().floor, b.calibration.recalibration.value().slope));
  EXPECT_EQ(a.questions[0].features.inclusion, b.questions[0].features.inclusion);
  EXPECT_EQ(a.questions[0].features.weight, b.questions[0].features.weight);
  EXPECT_EQ(a.questions[0].features.sd, b.questions[0].features.sd);
  EXPECT_EQ(a.correlated, b.correlated);
  EXPECT_EQ(a.training.values.values, b.training.values.values);
  EXPECT_EQ(a.training.row_scale, b.training.row_scale);
  EXPECT_EQ(a.training.covariates.values, b.training.covariates.values);
  EXPECT_EQ(a.summary_json, b.summary_json);
}

TEST_F(ModelFile, GivesBackPreprocessingAndComponents) {
  saved();
  const Model a = small_model(), b = load_model(dir_.path("m.cavity"));
  const Preprocessing &p = a.preprocessing, &q = b.preprocessing;
  EXPECT_EQ(p.transform, q.transform);
  EXPECT_EQ(p.feature_names, q.feature_names);
  EXPECT_EQ(p.kept, q.kept);
  EXPECT_EQ(p.impute, q.impute);
  EXPECT_EQ(p.centre, q.centre);
  EXPECT_EQ(p.scale, q.scale);
  EXPECT_EQ(p.unit_variance, q.unit_variance);
  EXPECT_EQ(p.row_scale, q.row_scale);
  EXPECT_EQ(p.directions, q.directions);
  EXPECT_EQ(p.whitening, q.whitening);
  ASSERT_EQ(q.covariates.size(), 1U);
  EXPECT_EQ(q.covariates[0].name + q.covariates[0].category + q.covariates[0].reference, "sexmf");
  EXPECT_EQ(q.covariates[0].centre, 0.25);
  ASSERT_EQ(b.questions[0].mixture.components.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const Component &c = a.questions[0].mixture.components[k], &d = b.questions[0].mixture.components[k];
    EXPECT_EQ((std::vector{c.density, c.noise, c.weight, c.common_variance}),
              (std::vector{d.density, d.noise, d.weight, d.common_variance}));
    EXPECT_EQ(c.mean, d.mean);
    EXPECT_EQ(c.covariate_mean, d.covariate_mean);
    EXPECT_EQ(c.feature_precision, d.feature_precision);
    EXPECT_EQ(c.sample_precision, d.sample_precision);
    EXPECT_EQ(c.variance, d.variance);
    EXPECT_EQ(c.covariate_variance, d.covariate_variance);
  }
}

TEST_F(ModelFile, KeepsTheWidthOfSteps) {
  Model m = small_model();
  m.questions[0].mixture.activation = ActivationKind::step;
  m.questions[0].mixture.components[0].width = 0.5;
  save_model(m, dir_.path("m"));
  EXPECT_EQ(load_model(dir_.path("m")).questions[0].mixture.components[0].width, 0.5);
  m.questions[0].mixture.components[0].width = -1;
  EXPECT_THROW(save_model(m, dir_.path("m")), std::invalid_argument);
}

Model model_with_draws() {
  Model m = small_model();
  m.questions[0].mixture.activation = ActivationKind::step;
  m.questions[0].mixture.components.resize(1);
  Component& c = m.questions[0].mixture.components[0];
  c.places = {c.noise, 2, {1, 0}, {0}, {0.1, 0.2, 0.3, 0.4, 0.5}, {1, 0, 1, 0, 0, 1, 2, 0, 2}};
  m.questions[0].features.credible_sets = {{{2, 0}, {0.75, 0.125}, 0.875, 1}};
  return m;
}

TEST_F(ModelFile, KeepsDrawsOfPlacesAndCredibleSets) {
  const Model m = model_with_draws();
  save_model(m, dir_.path("m"));
  const Model again = load_model(dir_.path("m"));
  const PlaceDraws &a = m.questions[0].mixture.components[0].places,
                   &b = again.questions[0].mixture.components[0].places;
  EXPECT_EQ(a.flip, b.flip);
  EXPECT_EQ(a.covariates, b.covariates);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.place, b.place);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.factor, b.factor);
  ASSERT_EQ(again.questions[0].features.credible_sets.size(), 1U);
  const CredibleSet& set = again.questions[0].features.credible_sets[0];
  EXPECT_EQ(set.features, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(set.share, (std::vector<double>{0.75, 0.125}));
  EXPECT_EQ(set.probability, 0.875);
  EXPECT_EQ(set.filled, 1);
}

/// Two inputs, none whitened; the draws keep the second.
Model model_with_scores() {
  Model m = model_with_draws();
  m.preprocessing.directions = 0;
  m.preprocessing.whitening = {};
  m.training.values = FeatureMatrix(2, 2);
  Component& c = m.questions[0].mixture.components[0];
  c.mean = {1.5, 0.5};
  c.feature_precision = {2, 1};
  c.places.place = {1};
  m.questions[0].mixture.place_scores = {{1}, {-0.5F, 2, 2}};
  return m;
}

TEST_F(ModelFile, KeepsTheScoresThatDrawsSee) {
  for (const std::uint32_t place : {1, 3}) {  // the second input, transformed and as measured
    Model m = model_with_scores();
    m.questions[0].mixture.components[0].places.place = m.questions[0].mixture.place_scores.place = {place};
    const std::string bytes = model_bytes(m);
    EXPECT_EQ(bytes[8], 5);  // refused by programs that would show the draws something else
    const PlaceScores again = model_from_bytes(bytes).questions[0].mixture.place_scores;
    EXPECT_EQ(again.place, (std::vector<std::uint32_t>{place}));
    EXPECT_EQ(again.values, (std::vector<float>{-0.5F, 2, 2}));
  }
}

TEST_F(ModelFile, RefusesScoresThatDoNotFit) {
  const auto refused = [&](const std::function<void(Model&)>& change) {
    Model m = model_with_scores();
    change(m);
    EXPECT_THROW(model_bytes(m), std::invalid_argument);
  };
  refused([](Model& m) { m.questions[0].mixture.place_scores.place = {0}; });  // not the place that a draw keeps
  refused([](Model& m) {
    m.questions[0].mixture.components[0].places.place = m.questions[0].mixture.place_scores.place = {4};
  });
  refused([](Model& m) { m.questions[0].mixture.place_scores.place = {1, 1}; });
  refused([](Model& m) { m.questions[0].mixture.place_scores.values = {}; });
  refused([](Model& m) { m.questions[0].mixture.place_scores.values = {2, 1}; });
  refused([](Model& m) { m.questions[0].mixture.place_scores.values[2] = INFINITY; });
}

TEST_F(ModelFile, KeepsTheRecalibrationOfParts) {
  Model m = model_with_draws();
  m.questions[0].mixture.components.push_back(small_model().questions[0].mixture.components[1]);
  EXPECT_EQ(model_bytes(m)[8], 1);
  m.calibration.recalibration.reset();
  m.questions[0].mixture.part_recalibration.others = Recalibration{0.02, 1.25};
  const std::string bytes = model_bytes(m);
  EXPECT_EQ(bytes[8], 4);  // refused by programs that would predict without it
  const PartRecalibration again = model_from_bytes(bytes).questions[0].mixture.part_recalibration;
  EXPECT_FALSE(again.sampled);
  ASSERT_TRUE(again.others);
  EXPECT_EQ(std::pair(again.others->floor, again.others->slope), std::pair(0.02, 1.25));
  m.questions[0].mixture.part_recalibration.others->slope = std::nan("");
  EXPECT_THROW(model_bytes(m), std::invalid_argument);
  m.questions[0].mixture.part_recalibration.others->slope = 1;
  m.questions[0].mixture.components.resize(1);
  EXPECT_THROW(model_bytes(m), std::invalid_argument);
}

TEST_F(ModelFile, RefusesDrawsThatDoNotFit) {
  const auto refused = [&](const std::function<void(Model&)>& change) {
    Model m = model_with_draws();
    change(m);
    EXPECT_THROW(save_model(m, dir_.path("m")), std::invalid_argument);
  };
  refused([](Model& m) { m.questions[0].mixture.components[0].places.place = {1}; });  // one input only
  refused([](Model& m) { m.questions[0].mixture.components[0].places.size = {2, 0}; });
  refused([](Model& m) { m.questions[0].mixture.components[0].places.mean.pop_back(); });
  refused([](Model& m) { m.questions[0].mixture.components[0].places.factor.push_back(1); });
  refused([](Model& m) { m.questions[0].mixture.components[0].places.factor[0] = std::nan(""); });
  refused([](Model& m) { m.questions[0].features.credible_sets[0].features[0] = 3; });
  refused([](Model& m) { m.questions[0].features.credible_sets[0].share.pop_back(); });
  refused([](Model& m) { m.questions[0].features.credible_sets[0].filled = 1.5; });
}

TEST_F(ModelFile, BareModelSurvives) {
  Model m = small_model();
  m.preprocessing.directions = 0;
  m.preprocessing.whitening.clear();
  m.preprocessing.covariates.clear();
  m.calibration.recalibration.reset();
  m.questions[0].mixture.intercept = false;
  m.questions[0].mixture.components = {{0.1, 0.2, 0, 1, {1, 2}, {}, 0.3, {}, {}}};
  m.correlated.clear();
  m.training = {};
  save_model(m, dir_.path("m"));
  const Model again = load_model(dir_.path("m"));
  EXPECT_FALSE(again.calibration.recalibration);
  EXPECT_FALSE(again.questions[0].mixture.intercept);
  EXPECT_EQ(again.questions[0].mixture.components.at(0).mean, m.questions[0].mixture.components[0].mean);
  EXPECT_EQ(dir_.names(), std::vector<std::string>{"m"});  // nothing temporary is left
}

TEST_F(ModelFile, RefusesAnyFlippedByte) {
  const std::string good = saved();
  for (std::size_t i = 0; i < good.size(); ++i) {
    overwrite(i, {static_cast<char>(good[i] ^ 1 << i % 8)});
    EXPECT_THROW(load_model(dir_.path("m.cavity")), InputError) << "byte " << i;
    overwrite(i, {good[i]});
  }
  EXPECT_NO_THROW(load_model(dir_.path("m.cavity")));
}

TEST_F(ModelFile, RefusesAnyLength) {
  const std::string good = saved();
  for (std::size_t size = good.size(); size-- > 0;) {
    std::filesystem::resize_file(dir_.path("m.cavity"), size);
    EXPECT_THROW(load_model(dir_.path("m.cavity")), InputError) << size << " bytes";
  }
  refuse(good + "x", {"bad.cavity", "1 bytes follow its end"});
}

/// With a right checksum only the checks of sizes and shapes stand between a byte and a crash.
TEST_F(ModelFile, SurvivesFlippedBytesUnderARightChecksum) {
  const std::string good = saved();
  std::size_t refused = 0;
  for (std::size_t i = 0; i + 8 < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1 << i % 8);
    overwrite(0, resummed(bad));
    try {
      load_model(dir_.path("m.cavity"));  // a changed number or name cannot be told
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000U);
}

TEST_F(ModelFile, SaysWhatIsWrong) {
  const std::string good = saved();
  refuse("label,a,b\n1,2,3\n", {"bad.cavity: not a cavity model", "cavity fit"});
  refuse("", {"not a cavity model"});
  refuse(good.substr(0, 20), {"cut short, 20 bytes", "fit again"});
  refuse(good.substr(0, good.size() - 9), {"cut short", "of " + std::to_string(good.size()) + " bytes"});
  std::string newer = good;
  newer[8] = 9;
  refuse(newer, {"format 9", "newer cavity", "up to 8", "update"});
  std::string flipped = good;
  flipped[good.size() - 100] ^= 1;
  refuse(flipped, {"damaged", "checksum"});
}

TEST_F(ModelFile, RefusesHeadersThatLie) {
  const std::string good = saved();
  refuse(edited(good, "\"probit\"", "\"prabit\""), {"activation is unknown"});
  refuse(edited(good, "\"rank\"", "\"runk\""), {"transform is unknown"});
  refuse(edited(good, "\"kept\"", "\"kipt\""), {"'kept' is not there"});
  refuse(edited(good, "\"offset\":64", "\"offset\":63"), {"out of place"});
  refuse(edited(good, "\"offset\":64", "\"offset\":-4"), {"header"});
  refuse(edited(good, "\"type\":\"u32\"", "\"type\":\"f32\""), {"is f32 with 1 dimensions instead of u32 with 1"});
  refuse(edited(good, "\"type\":\"u32\"", "\"type\":\"f64\""), {"does not match its shape"});
  refuse(edited(good, "\"arrays\"", "\"errors\""), {"header"});
}

TEST_F(ModelFile, RefusesToSaveWhatDoesNotFit) {
  const std::string path = dir_.path("m");
  const auto fault = [&](const std::string& part, const std::function<void(Model&)>& spoil) {
    Model m = small_model();
    spoil(m);
    expect_error<std::invalid_argument>([&] { save_model(m, path); }, {part});
  };
  fault("weights in a component", [](Model& m) { m.questions[0].mixture.components[0].mean.push_back(1); });
  fault("covariate weights", [](Model& m) { m.questions[0].mixture.components[1].covariate_mean.pop_back(); });
  fault("half of its precisions", [](Model& m) { m.questions[0].mixture.components[0].sample_precision.clear(); });
  fault("kept features", [](Model& m) { m.preprocessing.kept = {2, 0}; });
  fault("kept features", [](Model& m) { m.preprocessing.kept = {0, 3}; });
  fault("whitening entries", [](Model& m) { m.preprocessing.whitening.pop_back(); });
  fault("feature scales", [](Model& m) { m.preprocessing.scale.pop_back(); });
  fault("not finite", [](Model& m) { m.preprocessing.scale[0] = INFINITY; });
  fault("questions", [](Model& m) { m.questions.resize(2); });
  fault("inclusions", [](Model& m) { m.questions[0].features.inclusion.pop_back(); });
  fault("unknown feature", [](Model& m) { m.correlated[0][0] = 3; });
  fault("no component", [](Model& m) { m.questions[0].mixture.components.clear(); });
  EXPECT_TRUE(dir_.names().empty());
}

TEST_F(ModelFile, AbsentFileIsAnIoError) { EXPECT_THROW(load_model(dir_.path("none")), IoError); }

}  // namespace
}  // namespace cavity
