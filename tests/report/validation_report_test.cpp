#include "report/validation_report.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace cavity;

namespace {

Validation too_sure() {
  Validation out;
  out.class_names = {"a", "b"};
  out.all.class_counts = {10, 10};
  out.findings = {{"too-sure", "the slope is 0.5", "`adapt` with `slope` corrects it"},
                  {"features-moved", "the features have moved", "fit with `value_transform=rank`"}};
  return out;
}

}  // namespace

TEST(ValidationReport, FindingsNameOptionsAsTheirReaderTypesThem) {
  const Validation found = too_sure();
  const std::string flags = validation_text(found, ""), python = validation_text(found, "", OptionStyle::python);
  EXPECT_NE(flags.find("`adapt` with --slope corrects it"), std::string::npos) << flags;
  EXPECT_NE(python.find("`adapt` with slope corrects it"), std::string::npos) << python;
  EXPECT_NE(python.find("fit with value_transform='rank'"), std::string::npos) << python;
  EXPECT_EQ(python.find("--"), std::string::npos) << python;
  const auto json = nlohmann::json::parse(validation_json(found, OptionStyle::python));
  EXPECT_EQ(json["findings"][0]["cure"], "`adapt` with slope corrects it");
  EXPECT_EQ(nlohmann::json::parse(validation_json(found))["findings"][1]["cure"], "fit with --value-transform rank");
}
