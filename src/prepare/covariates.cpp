#include "prepare/covariates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"

namespace cavity {

namespace {

double number_or_nan(const std::string& name, std::size_t sample, const std::string& text) {
  const Value value = read_value(text);
  if (value.kind == Kind::number || value.kind == Kind::missing) return value.number;
  throw InputError(fmt::format("covariate {}, sample {}: {} is {}", shown(name), sample + 1, shown(text),
                               value.kind == Kind::infinite
                                   ? "infinite or too large"
                                   : "not a number, and this covariate was a number in training"));
}

bool missing(const std::string& text) { return read_value(text).kind == Kind::missing; }

bool is_numeric(const CovariateColumn& column) {
  return std::all_of(column.values.begin(), column.values.end(),
                     [](const std::string& text) { return read_value(text).kind != Kind::text; });
}

std::vector<CovariateEncoding> fit_number(const CovariateColumn& column) {
  std::vector<double> known;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double value = number_or_nan(column.name, i, column.values[i]);
    if (!std::isnan(value)) known.push_back(value);
  }
  if (known.empty()) return {};
  const auto count = static_cast<double>(known.size());
  double largest = 0, square = 0;
  for (const double value : known) largest = std::max(largest, std::abs(value));
  if (largest == 0) return {};
  double mean = 0;  // relative to the largest, so that nothing overflows
  for (const double value : known) mean += value / largest / count;
  for (const double value : known) square += (value / largest - mean) * (value / largest - mean) / count;
  const double deviation = std::sqrt(square), scale = 1 / (deviation * largest);
  if (deviation <= 1e-12 || !std::isfinite(scale)) return {};
  return {{column.name, "", "", mean * largest, scale}};
}

std::vector<CovariateEncoding> fit_categories(const CovariateColumn& column) {
  std::map<std::string, std::size_t> counts;
  std::size_t known = 0;
  for (const std::string& text : column.values) {
    if (missing(text)) continue;
    ++counts[text];
    ++known;
  }
  if (counts.size() > most_categories) {
    std::vector<std::string> names;
    for (const auto& [name, count] : counts) names.push_back(name);
    throw InputError(fmt::format(
        "covariate {} has {} categories in {} samples ({}), and at most {} can be used; merge some, or leave it out",
        shown(column.name), counts.size(), known, shown_names(names, 5), most_categories));
  }
  std::vector<CovariateEncoding> encodings;
  for (const auto& [category, count] : counts) {
    if (category == counts.begin()->first) continue;
    encodings.push_back(
        {column.name, category, counts.begin()->first, static_cast<double>(count) / static_cast<double>(known), 1.0});
  }
  return encodings;
}

using Encodings = std::vector<CovariateEncoding>;

/// The run of encodings that belong to one column starts at `first`; this is its end.
std::size_t end_of_column(const Encodings& encodings, std::size_t first) {
  std::size_t end = first;
  while (end < encodings.size() && encodings[end].name == encodings[first].name) ++end;
  return end;
}

[[noreturn]] void unknown_category(const Encodings& encodings, std::size_t first, std::size_t sample,
                                   const std::string& text) {
  std::vector<std::string> known{encodings[first].reference};
  for (std::size_t e = first; e < end_of_column(encodings, first); ++e) known.push_back(encodings[e].category);
  throw InputError(
      fmt::format("covariate {}, sample {}: {} is not a category of the training data, which has {}; "
                  "correct it, or leave it empty for unknown",
                  shown(encodings[first].name), sample + 1, shown(text), shown_names(known, most_categories)));
}

void fill_category(const Encodings& encodings, std::size_t first, std::size_t sample, const std::string& text,
                   float* row) {
  if (missing(text)) return;
  bool known = text == encodings[first].reference;
  for (std::size_t e = first; e < end_of_column(encodings, first); ++e) {
    const bool here = text == encodings[e].category;
    known |= here;
    row[e] = static_cast<float>(((here ? 1.0 : 0.0) - encodings[e].centre) * encodings[e].scale);
  }
  if (!known) unknown_category(encodings, first, sample, text);
}

void fill_column(const Encodings& encodings, std::size_t first, const CovariateColumn& column, FeatureMatrix& out) {
  for (std::size_t i = 0; i < out.rows; ++i) {
    if (!encodings[first].category.empty()) {
      fill_category(encodings, first, i, column.values[i], out.row(i));
      continue;
    }
    const double value = number_or_nan(column.name, i, column.values[i]);
    if (std::isnan(value)) continue;
    const double scaled = value * encodings[first].scale - encodings[first].centre * encodings[first].scale;
    if (!(std::abs(scaled) <= std::numeric_limits<float>::max()))
      throw InputError(fmt::format("covariate {}, sample {}: {} is far outside the values of training",
                                   shown(column.name), i + 1, shown(column.values[i])));
    out.row(i)[first] = static_cast<float>(scaled);
  }
}

void check_length(const CovariateColumn& column, std::size_t samples) {
  if (column.values.size() == samples) return;
  throw InputError(
      fmt::format("covariate {} has {} values for {} samples", shown(column.name), column.values.size(), samples));
}

}  // namespace

EncodedCovariates encode_covariates(const std::vector<CovariateColumn>& columns, std::size_t samples) {
  EncodedCovariates encoded;
  for (const CovariateColumn& column : columns) {
    check_length(column, samples);
    const auto fitted = is_numeric(column) ? fit_number(column) : fit_categories(column);
    if (fitted.empty()) {
      encoded.notes.push_back(
          fmt::format("covariate {} has the same value in all samples: left out", shown(column.name)));
      continue;
    }
    const auto absent = std::count_if(column.values.begin(), column.values.end(), missing);
    if (absent > 0) {
      encoded.notes.push_back(fmt::format("covariate {}: {} missing {} replaced by the mean", shown(column.name),
                                          absent, absent == 1 ? "value" : "values"));
    }
    encoded.encodings.insert(encoded.encodings.end(), fitted.begin(), fitted.end());
  }
  encoded.values = apply_covariates(encoded.encodings, columns, samples);
  return encoded;
}

FeatureMatrix apply_covariates(const Encodings& encodings, const std::vector<CovariateColumn>& columns,
                               std::size_t samples) {
  FeatureMatrix out(samples, encodings.size());
  std::vector<std::string> absent;
  for (std::size_t first = 0; first < encodings.size(); first = end_of_column(encodings, first)) {
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const CovariateColumn& c) { return c.name == encodings[first].name; });
    if (column == columns.end()) {
      absent.push_back(encodings[first].name);
      continue;
    }
    check_length(*column, samples);
    fill_column(encodings, first, *column, out);
  }
  if (absent.empty()) return out;
  throw InputError(fmt::format("{} {} of the model not in the data: {}", absent.size(),
                               absent.size() == 1 ? "covariate" : "covariates", shown_names(absent, 5)));
}

}  // namespace cavity
