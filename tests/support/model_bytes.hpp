// A small model, and the bytes of model files taken apart and put together again, so that tests reach behind the
// checksum.
#pragma once

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"
#include "file/array_layout.hpp"
#include "file/checksum.hpp"

namespace cavity::test {

/// Three features, two kept, whitened to one direction, one covariate; every member holds something.
inline Model small_model() {
  Model m;
  m.class_names = {"no", "y\xffs"};
  m.label_name = "outcome";
  m.questions.resize(1);
  CellMixture& mixture = m.questions[0].mixture;
  FeatureEstimates& features = m.questions[0].features;
  mixture.activation = ActivationKind::probit;
  m.preprocessing = {Transform::rank,
                     {"a", std::string("b\0\"\xc3", 4), ""},
                     {0, 2},
                     {0.1, 0.2, 0.3},
                     {1, 2},
                     {3, 4},
                     {},
                     {},
                     {{"sex", "m", "f", 0.25, 1.0}},
                     false,
                     1,
                     {0.5F, -0.5F},
                     {},
                     0.75};
  mixture.covariate_precision = 11.1;
  mixture.components = {{0.1, 0.2, 0, 0.7, {1.5}, {0.25, -1}, 0.3, {2}, {-0.5, 4}},
                        {0.2, 0.1, 0, 0.3, {-1.5}, {0, 1}, 0.4, {}, {}, {0.125}, {0.5, 2}}};
  m.calibration.recalibration = Recalibration{0.01, 1.5};
  features.inclusion = {0.9, 0, 0.1};
  features.weight = {1, 0, -1e-300};
  features.sd = {0.1, 0, 0.2};
  m.correlated = {{0, 2}, {1}};
  m.training.values = FeatureMatrix(2, 1);
  m.training.values.values = {1, -1};
  m.training.row_scale = {1, 2};
  m.training.covariates = FeatureMatrix(2, 1);
  m.training.covariates.values = {0.75F, -0.25F};
  m.summary_json = "{\"samples\": 2}";
  return m;
}

/// The bytes with their magic, length and checksum put right. At least 40 of them.
inline std::string sealed(std::string bytes) {
  FileStart start{};
  std::memcpy(&start, bytes.data(), sizeof start);
  std::memcpy(start.magic, model_magic.data(), sizeof start.magic);
  start.file_size = bytes.size();
  std::memcpy(bytes.data(), &start, sizeof start);
  const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, bytes.size() - checksum_size));
  std::memcpy(bytes.data() + bytes.size() - checksum_size, &sum, sizeof sum);
  return bytes;
}

/// The same file with another header text.
inline std::string with_header_text(const std::string& file, const std::string& header) {
  FileStart start{};
  std::memcpy(&start, file.data(), sizeof start);
  const std::string arrays = file.substr(aligned(sizeof start + start.header_size));
  start.header_size = header.size();
  std::string out(reinterpret_cast<const char*>(&start), sizeof start);
  out += header;
  out.resize(aligned(out.size()), '\0');
  return sealed(out + arrays);
}

/// The same file with its header edited.
inline std::string with_header(const std::string& file, const std::function<void(nlohmann::json&)>& edit) {
  FileStart start{};
  std::memcpy(&start, file.data(), sizeof start);
  nlohmann::json header = nlohmann::json::parse(file.substr(sizeof start, start.header_size));
  edit(header);
  return with_header_text(file, header.dump());
}

/// The same file with the bytes of one array edited in place.
inline std::string with_array(const std::string& file, const std::string& name,
                              const std::function<void(char*)>& edit) {
  FileStart start{};
  std::memcpy(&start, file.data(), sizeof start);
  const nlohmann::json header = nlohmann::json::parse(file.substr(sizeof start, start.header_size));
  std::string out = file;
  for (const auto& array : header.at("arrays"))
    if (array.at("name") == name)
      edit(out.data() + aligned(sizeof start + start.header_size) + array.at("offset").get<std::size_t>());
  return sealed(out);
}

template <class T>
std::string with_value(const std::string& file, const std::string& array, std::size_t at, T value) {
  return with_array(file, array, [&](char* bytes) { std::memcpy(bytes + at * sizeof value, &value, sizeof value); });
}

}  // namespace cavity::test
