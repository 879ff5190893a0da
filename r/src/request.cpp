#include "request.hpp"

#include <algorithm>
#include <climits>
#include <limits>

#include "fitted.hpp"

namespace {

using namespace cavity;

float as_float(double value) { return static_cast<float>(value); }
/// R's missing integer is the smallest one.
float as_float(int value) {
  return value == INT_MIN ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

/// Columns to rows in square tiles, so that neither side misses the cache on every value.
template <class T>
FeatureMatrix by_rows(std::span<const T> values, std::size_t rows) {
  constexpr std::size_t tile = 64;
  FeatureMatrix out(rows, rows == 0 ? 0 : values.size() / rows);
  for (std::size_t i0 = 0; i0 < out.rows; i0 += tile)
    for (std::size_t j0 = 0; j0 < out.cols; j0 += tile)
      for (std::size_t i = i0; i < std::min(out.rows, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(out.cols, j0 + tile); ++j)
          out.row(i)[j] = as_float(values[j * out.rows + i]);
  return out;
}

FeatureTable sparse_table(const cavity_value& slots) {
  CompressedColumns out;
  out.samples = static_cast<std::size_t>(slots.at("rows").number());
  const auto start = slots.at("p").integers(), row = slots.at("i").integers();
  const auto value = slots.at("x").numbers();
  out.start.assign(start.begin(), start.end());
  out.row.assign(row.begin(), row.end());
  out.value.assign(value.begin(), value.end());
  return FeatureTable(std::move(out));
}

FeatureTable table_of(const cavity_value& arguments) {
  if (const cavity_value* slots = arguments.find("sparse")) return sparse_table(*slots);
  const cavity_value& x = arguments.at("x");
  if (std::holds_alternative<Elements<int>>(x.held)) return by_rows(x.integers(), x.rows);
  return by_rows(x.numbers(), x.rows);
}

void add_classes(const cavity_value& arguments, Dataset& data) {
  if (const cavity_value* names = arguments.find("classes")) data.class_names = names->texts();
  if (const cavity_value* label = arguments.find("label_name")) data.label_name = label->text();
  if (const cavity_value* index = arguments.find("index"))
    for (const int k : index->integers()) data.classes.push_back(static_cast<std::uint32_t>(k));
}

std::vector<double> list_of(const cavity_value& value) {
  const auto numbers = value.numbers();
  return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<std::string> default_names(const std::string& prefix, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t l = 0; l < count; ++l) names.push_back(prefix + std::to_string(l + 1));
  return names;
}

Dataset dataset_of(const cavity_value& arguments) {
  Dataset data;
  data.features = table_of(arguments);
  const cavity_value* names = arguments.find("feature_names");
  data.feature_names = names ? names->texts() : default_names("x", data.features.cols());
  if (const cavity_value* samples = arguments.find("sample_names")) data.sample_names = samples->texts();
  add_classes(arguments, data);
  if (const cavity_value* groups = arguments.find("groups")) data.groups = groups->texts();
  if (const cavity_value* covariates = arguments.find("covariates"))
    for (const auto& [name, values] : covariates->items()) data.covariates.push_back({name, values->texts()});
  return data;
}

const Model& model_of(const cavity_job& job) { return job.arguments.at("model").fitted()->model(); }

Dataset cohort_of(const cavity_value& arguments, const Model& model) {
  Dataset data = dataset_of(arguments);
  if (!arguments.find("feature_names")) data.feature_names = model.preprocessing.feature_names;
  if (data.sample_names.empty()) data.sample_names = default_names("", data.samples());
  return data;
}

PredictOptions predict_options_of(const cavity_value& arguments) {
  return {static_cast<unsigned>(arguments.at("threads").number()), arguments.at("match").flag(),
          arguments.at("least_explained").number(), arguments.at("fill_means").flag()};
}

FitOptions options_of(const cavity_value& options, cavity_job& job) {
  FitOptions out;
  out.solver.kind = parse_solver(options.at("solver").text());
  out.solver.max_iterations = static_cast<int>(options.at("max_iter").number());
  out.solver.tolerance = options.at("tol").number();
  out.solver.seed = static_cast<std::uint64_t>(options.at("seed").number());
  const std::string activation = options.at("activation").text();
  if (activation != "auto") out.activation = parse_activation(activation);
  out.boundary = parse_boundary(options.at("boundary").text());
  out.selection.by = parse_selection(options.at("select").text());
  out.selection.check_loo = static_cast<std::size_t>(options.at("check_loo").number());
  out.preprocessing.transform = parse_transform(options.at("value_transform").text());
  if (const cavity_value* unit = options.find("unit_variance")) out.preprocessing.unit_variance = unit->flag();
  out.preprocessing.whiten = options.at("whiten").flag();
  out.grid.paper = options.at("paper_grid").flag();
  out.grid.density = list_of(options.at("density"));
  out.grid.noise = list_of(options.at("noise"));
  out.grid.width = list_of(options.at("width"));
  out.intercept = options.at("fit_intercept").flag();
  out.threads = static_cast<unsigned>(options.at("threads").number());
  if (const cavity_value* prior = options.find("class_prior")) out.class_prior = list_of(*prior);
  out.observer.keep_going = [&job] { return job.keep_going(); };
  out.observer.progress = [&job](const Progress& p) { return job.report(p.cell, p.cells); };
  return out;
}
