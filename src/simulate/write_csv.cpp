#include "simulate/write_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"

namespace cavity {

namespace {

void append_text(std::string& line, const std::string& text) {
  const bool spaced = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!spaced && text.find_first_of(",;\t\"\r\n") == std::string::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void check_sizes(const Dataset& dataset) {
  const FeatureMatrix& features = dataset.features.dense();
  const bool labels = dataset.classes.empty() || dataset.classes.size() == features.rows;
  if (dataset.feature_names.size() != features.cols || !labels) {
    throw UsageError(fmt::format("write_csv: {} x {} features, {} feature names, {} labels", features.rows,
                                 features.cols, dataset.feature_names.size(), dataset.classes.size()));
  }
  const auto& names = dataset.feature_names;
  if (!dataset.classes.empty() && std::find(names.begin(), names.end(), "label") != names.end()) {
    throw UsageError("write_csv: a feature is called 'label', the name of the label column");
  }
}

std::string header(const Dataset& dataset) {
  std::string line = dataset.classes.empty() ? "" : "label";
  for (const auto& name : dataset.feature_names) {
    if (!line.empty()) line += ',';
    append_text(line, name);
  }
  return line + '\n';
}

void append_row(std::string& line, const Dataset& dataset, std::size_t row) {
  const bool labelled = !dataset.classes.empty();
  if (labelled) append_text(line, dataset.class_names[dataset.classes[row]]);
  const float* values = dataset.features.dense().row(row);
  for (std::size_t i = 0; i < dataset.features.cols(); ++i) {
    if (labelled || i > 0) line += ',';
    if (!std::isnan(values[i])) fmt::format_to(std::back_inserter(line), "{:.9g}", values[i]);
    // An empty line would be no row at all.
    if (std::isnan(values[i]) && !labelled && dataset.features.cols() == 1) line += "NA";
  }
  line += '\n';
}

}  // namespace

void write_csv(const Dataset& dataset, const std::string& path) {
  check_sizes(dataset);
  write_file_atomically(path, [&](std::ostream& out) {
    std::string line = header(dataset);
    for (std::size_t row = 0; row < dataset.samples() && out; ++row) {
      out.write(line.data(), static_cast<std::streamsize>(line.size()));
      line.clear();
      append_row(line, dataset, row);
    }
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  });
}

}  // namespace cavity
