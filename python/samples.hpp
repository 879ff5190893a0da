// What the samples of a table are, as they come from Python.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "cavity/dataset.hpp"

struct Samples {
  std::vector<std::string> feature_names;  // those that follow are called x<position>
  std::vector<std::string> sample_names;   // empty: they are numbered from 1
  std::vector<std::string> class_names;
  std::string label_name;
  std::vector<std::pair<std::string, std::vector<std::string>>> covariates;
  std::vector<std::string> groups;
};

/// `features` in either form; `labels`: positions in class_names.
template <class Features>
cavity::Dataset to_dataset(const Features& features, const arrays::Labels& labels, const Samples& samples) {
  cavity::Dataset data;
  data.features = arrays::to_table(features);
  data.feature_names = samples.feature_names;
  for (std::size_t l = data.feature_names.size(); l < data.features.cols(); ++l)
    data.feature_names.push_back("x" + std::to_string(l + 1));
  data.sample_names = samples.sample_names;
  for (std::size_t mu = data.sample_names.size(); mu < data.features.rows(); ++mu)
    data.sample_names.push_back(std::to_string(mu + 1));
  data.classes.assign(labels.data(), labels.data() + labels.shape(0));
  data.class_names = samples.class_names;
  data.label_name = samples.label_name;
  data.groups = samples.groups;
  for (const auto& [name, values] : samples.covariates) data.covariates.push_back({name, values});
  return data;
}
