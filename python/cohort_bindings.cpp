// A model on samples of another cohort: told, validated, adapted.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cavity/adapt.hpp"
#include "cavity/label_sets.hpp"
#include "cavity/report.hpp"
#include "cavity/validate.hpp"
#include "report/adapt_report.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/validation_report.hpp"
#include "table/matrix_size.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace cavity;

namespace {

/// New samples as Python hands them over, and what is done where their columns are not those of the model.
struct Cohort {
  Dataset data;
  PredictOptions options;
};

template <class Features>
Cohort make_cohort(const Features& features, std::vector<std::string> feature_names,
                   std::vector<std::string> sample_names,
                   const std::vector<std::pair<std::string, std::vector<std::string>>>& covariates) {
  Cohort out;
  out.data.features = arrays::to_table(features);
  out.data.feature_names = std::move(feature_names);
  out.data.sample_names =
      sample_names.empty() ? numbered_names("", 1, out.data.features.rows()) : std::move(sample_names);
  for (const auto& [name, values] : covariates) out.data.covariates.push_back({name, values});
  return out;
}

/// Positions of the classes; one beyond them is of a sample whose class is not known.
void set_labels(Cohort& cohort, const arrays::Labels& labels, std::vector<std::string> groups) {
  const std::span positions(labels.data(), labels.shape(0));
  cohort.data.classes.assign(positions.begin(), positions.end());
  cohort.data.groups = std::move(groups);
}

nb::tuple told(const Model& model, const Cohort& cohort, std::optional<double> confidence) {
  Prediction made;
  std::optional<LabelSets> sets;
  {
    const nb::gil_scoped_release released;
    made = predict(model, cohort.data, cohort.options);
    if (confidence) sets = label_sets(model, made, *confidence);
  }
  const std::vector<std::size_t> shape = {made.label.size(), model.class_names.size()};
  std::vector<double> explained = made.measured.sample_explained;
  explained.resize(made.label.size(), 1.0);
  nb::object conformity = nb::none();
  if (sets) conformity = nb::cast(arrays::to_array(std::move(sets->conformity), shape));
  return nb::make_tuple(arrays::to_array(std::move(made.probabilities), shape), conformity,
                        arrays::to_array(std::move(explained)), dumped(measured_json(made.measured)));
}

std::string validated(const Model& model, const Cohort& cohort, const std::vector<double>& thresholds) {
  const nb::gil_scoped_release released;
  return validation_json(validate(model, cohort.data, {cohort.options, thresholds}), OptionStyle::python);
}

std::pair<Model, std::string> with_words(Adapted made) {
  std::string how = adaptation_json(made.how, made.model.class_names);
  return {std::move(made.model), std::move(how)};
}

std::pair<Model, std::string> adapted_to(const Model& model, const Cohort& cohort, bool slope) {
  const nb::gil_scoped_release released;
  return with_words(adapt(model, cohort.data, {cohort.options, slope}));
}

}  // namespace

void bind_cohort(nb::module_& m) {
  nb::class_<Cohort>(m, "Cohort", "New samples.")
      .def("set_labels", &set_labels, "labels"_a, "groups"_a)
      .def_prop_rw(
          "match", [](const Cohort& c) { return c.options.match; }, [](Cohort& c, bool on) { c.options.match = on; })
      .def_prop_rw(
          "least_explained", [](const Cohort& c) { return c.options.least_explained; },
          [](Cohort& c, double share) { c.options.least_explained = share; })
      .def_prop_rw(
          "fill_means", [](const Cohort& c) { return c.options.fill_means; },
          [](Cohort& c, bool on) { c.options.fill_means = on; })
      .def_prop_rw(
          "threads", [](const Cohort& c) { return c.options.threads; },
          [](Cohort& c, unsigned threads) { c.options.threads = threads; });
  m.def("cohort", &make_cohort<CompressedColumns>, "features"_a, "feature_names"_a, "sample_names"_a, "covariates"_a);
  m.def("cohort", &make_cohort<arrays::Table>, "features"_a, "feature_names"_a, "sample_names"_a, "covariates"_a);
  m.def("told", &told, "model"_a, "cohort"_a, "confidence"_a.none());
  m.def("validated", &validated, "model"_a, "cohort"_a, "thresholds"_a);
  m.def("adapted", &adapted_to, "model"_a, "cohort"_a, "slope"_a);
  m.def(
      "adapted_to_class_prior",
      [](const Model& model, const std::vector<double>& class_prior) {
        return with_words(adapt_to_class_prior(model, class_prior));
      },
      "model"_a, "class_prior"_a);
}
