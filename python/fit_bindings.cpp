// fit, predict, the model and simulated data.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cavity/fit.hpp"
#include "cavity/linear_score.hpp"
#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "cavity/simulate.hpp"
#include "fitted.hpp"
#include "interruptible.hpp"
#include "table/question.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace cavity;

namespace {

using Columns = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add_covariates(const Columns& columns, Dataset& data) {
  for (const auto& [name, values] : columns) data.covariates.push_back({name, values});
}

/// The readers' names for a table without them: x1, x2, ... for features, 1, 2, ... for samples.
std::vector<std::string> default_names(const std::string& prefix, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t l = 0; l < count; ++l) names.push_back(prefix + std::to_string(l + 1));
  return names;
}

template <class Features>
Fitted fit_arrays(const Features& features, const arrays::Labels& labels, std::vector<std::string> feature_names,
                  std::vector<std::string> sample_names, std::vector<std::string> class_names,
                  const std::string& label_name, const Columns& covariates, FitOptions options,
                  const nb::object& progress, std::vector<std::string> groups) {
  Dataset data;
  data.features = arrays::to_table(features);
  data.feature_names = feature_names.empty() ? default_names("x", data.features.cols()) : std::move(feature_names);
  data.sample_names = std::move(sample_names);
  data.class_names = std::move(class_names);
  const std::span positions(labels.data(), labels.shape(0));
  data.classes.assign(positions.begin(), positions.end());
  data.label_name = label_name;
  data.groups = std::move(groups);
  add_covariates(covariates, data);

  Interruptible<Progress> run;
  options.observer.keep_going = [&run] { return run.keep_going(); };
  options.observer.progress = [&run](const Progress& p) {
    run.report(p);
    return run.keep_going();
  };
  Fit result;
  run.run(
      [&] {
        result = fit(std::move(data), options);
        if (result.data.sample_names.empty()) result.data.sample_names = default_names("", result.data.samples);
        result.model.summary_json = fit_json(result, {.loo = true, .features = 0, .seed = options.solver.seed});
      },
      [&](const Progress& p) {
        if (!progress.is_none()) progress(p.cell, p.cells, p.density, p.noise, p.residual);
      });
  return {std::move(result), std::move(options)};
}

template <class Features>
nb::ndarray<nb::numpy, double> predict_arrays(const Model& model, const Features& features, const Columns& covariates,
                                              unsigned threads, std::vector<std::string> feature_names) {
  Dataset data;
  data.features = arrays::to_table(features);
  data.feature_names = feature_names.empty() ? model.preprocessing.feature_names : std::move(feature_names);
  add_covariates(covariates, data);
  Prediction out;
  {
    const nb::gil_scoped_release released;
    out = predict(model, std::move(data), threads);
  }
  return arrays::to_array(std::move(out.probabilities), {out.label.size(), model.class_names.size()});
}

nb::tuple simulate_arrays(const SimulationOptions& options) {
  Simulation made;
  {
    const nb::gil_scoped_release released;
    made = simulate(options);
  }
  FeatureMatrix& features = made.data.features.dense();
  return nb::make_tuple(arrays::to_array(std::move(features.values), {features.rows, features.cols}),
                        arrays::to_array(against_rest(made.data.classes, 1)),
                        arrays::to_array(std::move(made.teacher)));
}

void bind_options(nb::module_& m) {
  m.attr("SOLVERS") = solver_names();
  m.attr("SELECTIONS") = selection_names();
  m.attr("BOUNDARIES") = boundary_names();
  m.attr("TRANSFORMS") = transform_names();
  nb::class_<FitOptions>(m, "FitOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "solver", [](const FitOptions& o) { return to_string(o.solver.kind); },
          [](FitOptions& o, const std::string& name) { o.solver.kind = parse_solver(name); })
      .def_prop_rw(
          "activation", [](const FitOptions& o) { return o.activation ? to_string(*o.activation) : "auto"; },
          [](FitOptions& o, const std::string& name) {
            o.activation = name == "auto" ? std::nullopt : std::optional(parse_activation(name));
          })
      .def_prop_rw(
          "boundary", [](const FitOptions& o) { return to_string(o.boundary); },
          [](FitOptions& o, const std::string& name) { o.boundary = parse_boundary(name); })
      .def_prop_rw(
          "select", [](const FitOptions& o) { return to_string(o.selection.by); },
          [](FitOptions& o, const std::string& name) { o.selection.by = parse_selection(name); })
      .def_prop_rw(
          "value_transform", [](const FitOptions& o) { return to_string(o.preprocessing.transform); },
          [](FitOptions& o, const std::string& name) { o.preprocessing.transform = parse_transform(name); })
      .def_prop_rw(
          "density", [](const FitOptions& o) { return o.grid.density; },
          [](FitOptions& o, std::vector<double> values) { o.grid.density = std::move(values); })
      .def_prop_rw(
          "noise", [](const FitOptions& o) { return o.grid.noise; },
          [](FitOptions& o, std::vector<double> values) { o.grid.noise = std::move(values); })
      .def_prop_rw(
          "width", [](const FitOptions& o) { return o.grid.width; },
          [](FitOptions& o, std::vector<double> values) { o.grid.width = std::move(values); })
      .def_prop_rw(
          "paper_grid", [](const FitOptions& o) { return o.grid.paper; },
          [](FitOptions& o, bool on) { o.grid.paper = on; })
      .def_prop_rw(
          "unit_variance", [](const FitOptions& o) { return o.preprocessing.unit_variance; },
          [](FitOptions& o, std::optional<bool> on) { o.preprocessing.unit_variance = on; })
      .def_prop_rw(
          "whiten", [](const FitOptions& o) { return o.preprocessing.whiten; },
          [](FitOptions& o, bool on) { o.preprocessing.whiten = on; })
      .def_rw("class_prior", &FitOptions::class_prior)
      .def_rw("intercept", &FitOptions::intercept)
      .def_prop_rw(
          "max_iterations", [](const FitOptions& o) { return o.solver.max_iterations; },
          [](FitOptions& o, int limit) { o.solver.max_iterations = limit; })
      .def_prop_rw(
          "tolerance", [](const FitOptions& o) { return o.solver.tolerance; },
          [](FitOptions& o, double tolerance) { o.solver.tolerance = tolerance; })
      .def_prop_rw(
          "check_loo", [](const FitOptions& o) { return o.selection.check_loo; },
          [](FitOptions& o, std::size_t refits) { o.selection.check_loo = refits; })
      .def_rw("threads", &FitOptions::threads)
      .def_prop_rw(
          "seed", [](const FitOptions& o) { return o.solver.seed; },
          [](FitOptions& o, std::uint64_t seed) { o.solver.seed = seed; });
}

/// Difference, t and q; NaN where they are not known.
auto alone_arrays(const FeatureEstimates& features) {
  std::vector<Marginal> alone = features.alone;
  alone.resize(features.inclusion.size());
  const auto column = [&](double Marginal::*member) {
    std::vector<double> out;
    for (const Marginal& one : alone) out.push_back(one.*member);
    return arrays::to_array(std::move(out));
  };
  return std::make_tuple(column(&Marginal::difference), column(&Marginal::t), column(&Marginal::q));
}

void bind_question(nb::module_& m) {
  const auto array = [](auto member) {
    return [member](const QuestionModel& question) { return arrays::to_array(question.features.*member); };
  };
  nb::class_<QuestionModel>(m, "Question", "One class against the others.")
      .def_prop_ro("inclusion", array(&FeatureEstimates::inclusion), nb::rv_policy::reference)
      .def_prop_ro("weight", array(&FeatureEstimates::weight), nb::rv_policy::reference)
      .def_prop_ro("sd", array(&FeatureEstimates::sd), nb::rv_policy::reference)
      .def_prop_ro(
          "alone", [](const QuestionModel& q) { return alone_arrays(q.features); }, nb::rv_policy::reference)
      .def_prop_ro("activation", [](const QuestionModel& q) { return to_string(q.mixture.activation); })
      .def_prop_ro("intercept", [](const QuestionModel& q) { return q.mixture.intercept; })
      .def_prop_ro("components", [](const QuestionModel& q) { return q.mixture.components; })
      .def_prop_ro("covariate_weights", [](const QuestionModel& q) {
        std::vector<std::pair<double, double>> out;
        for (const CovariateEstimate& c : q.covariates) out.emplace_back(c.weight, c.sd);
        return out;
      });
}

void bind_model(nb::module_& m) {
  nb::class_<Component>(m, "Component", "One grid cell of the mixture.")
      .def_ro("density", &Component::density)
      .def_ro("noise", &Component::noise)
      .def_ro("width", &Component::width)
      .def_ro("weight", &Component::weight)
      .def_ro("common_variance", &Component::common_variance)
      .def_ro("covariate_mean", &Component::covariate_mean);
  nb::class_<CovariateEncoding>(m, "CovariateEncoding")
      .def_ro("name", &CovariateEncoding::name)
      .def_ro("category", &CovariateEncoding::category)
      .def_ro("reference", &CovariateEncoding::reference)
      .def_ro("centre", &CovariateEncoding::centre)
      .def_ro("scale", &CovariateEncoding::scale);
  nb::class_<Model>(m, "Model", "A fitted classifier.")
      .def_ro("class_names", &Model::class_names)
      .def_ro("label_name", &Model::label_name)
      .def_prop_ro("activation", [](const Model& model) { return to_string(model.first_mixture().activation); })
      .def_prop_ro("value_transform", [](const Model& model) { return to_string(model.preprocessing.transform); })
      .def_prop_ro("feature_names", [](const Model& model) { return model.preprocessing.feature_names; })
      .def_prop_ro("n_features", [](const Model& model) { return model.preprocessing.feature_names.size(); })
      .def_prop_ro(
          "kept", [](const Model& model) { return arrays::to_array(model.preprocessing.kept); },
          nb::rv_policy::reference)
      .def_prop_ro(
          "centre", [](const Model& model) { return arrays::to_array(model.preprocessing.centre); },
          nb::rv_policy::reference)
      .def_prop_ro(
          "inclusion", [](const Model& model) { return arrays::to_array(overall_features(model).inclusion); },
          nb::rv_policy::reference)
      .def_ro("correlated", &Model::correlated)
      .def_prop_ro("n_questions", [](const Model& model) { return model.questions.size(); })
      .def(
          "question",
          [](const Model& model, std::size_t position) -> const QuestionModel& { return model.questions.at(position); },
          "position"_a, nb::rv_policy::reference_internal)
      .def("of_class", &Model::of_class, "question"_a, "The class that it asks for: a position in class_names.")
      .def_prop_ro("covariates", [](const Model& model) { return model.preprocessing.covariates; })
      .def_prop_ro("class_shift", [](const Model& model) { return model.calibration.class_shift; })
      .def("linear_score",
           [](const Model& model) {
             const LinearScore score = linear_score(model);
             std::vector<std::tuple<std::string, double, double, double, double>> terms;
             for (const auto* part : {&score.covariates, &score.features})
               for (const auto& term : *part)
                 terms.emplace_back(term.name, term.weight, term.mean, term.median, term.spread);
             return std::make_tuple(score.intercept, to_string(score.transform), terms);
           })
      .def_prop_ro("summary_json", &model_summary)
      .def("save", &save_model, "path"_a)
      .def_static("load", &load_model, "path"_a)
      .def("__getstate__",
           [](const Model& model) {
             const std::string bytes = model_bytes(model);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](Model& model, const nb::bytes& state) {
        new (&model) Model(model_from_bytes({static_cast<const char*>(state.data()), state.size()}));
      });
}

void bind_fitted(nb::module_& m) {
  nb::class_<Fitted>(m, "Fitted", "A fit: its model, and what the report page needs.")
      .def_prop_ro("model", &Fitted::model, nb::rv_policy::reference_internal)
      .def("report_json", &Fitted::state, "The page's data as JSON.")
      .def("write_report", &Fitted::write_report, "path"_a, "name"_a, "command"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__getstate__",
           [](const Fitted& fitted) {
             const std::string state = fitted.state();
             return nb::bytes(state.data(), state.size());
           })
      .def("__setstate__", [](Fitted& fitted, const nb::bytes& state) {
        new (&fitted) Fitted(std::string(static_cast<const char*>(state.data()), state.size()));
      });
}

}  // namespace

void bind_fit(nb::module_& m) {
  bind_options(m);
  bind_question(m);
  bind_model(m);
  bind_fitted(m);
  nb::class_<CompressedColumns>(m, "SparseColumns", "Compressed sparse columns; what is not stored is zero.")
      .def(
          "__init__",
          [](CompressedColumns* self, std::size_t samples, const arrays::Vector<std::uint64_t>& start,
             const arrays::Vector<std::uint32_t>& row, const arrays::Vector<float>& value) {
            new (self) CompressedColumns(arrays::to_columns(samples, start, row, value));
          },
          "samples"_a, "start"_a, "row"_a, "value"_a);
  const auto def_fit = [&m](auto* fit_features) {
    m.def("fit", fit_features, "features"_a, "labels"_a, "feature_names"_a, "sample_names"_a, "class_names"_a,
          "label_name"_a, "covariates"_a, "options"_a, "progress"_a.none(), "groups"_a = std::vector<std::string>());
  };
  def_fit(&fit_arrays<CompressedColumns>);
  def_fit(&fit_arrays<arrays::Table>);
  m.def(
      "spell_options", [](const std::string& text) { return spell_options(text, OptionStyle::python); }, "text"_a);
  m.def(
      "wilson_interval",
      [](double share, double count) {
        const Interval interval = wilson_interval(share, count);
        return std::make_pair(interval.low, interval.high);
      },
      "share"_a, "count"_a);
  m.def(
      "discoveries",
      [](const arrays::Numbers& ranked, double rate) {
        return discoveries(std::span(ranked.data(), ranked.shape(0)), rate);
      },
      "ranked_inclusion"_a, "rate"_a);
  m.def("predict", &predict_arrays<CompressedColumns>, "model"_a, "features"_a, "covariates"_a, "threads"_a,
        "feature_names"_a = std::vector<std::string>());
  m.def("predict", &predict_arrays<arrays::Table>, "model"_a, "features"_a, "covariates"_a, "threads"_a,
        "feature_names"_a = std::vector<std::string>());
  m.def(
      "simulate",
      [](std::size_t samples, std::size_t features, double teacher, double noise, std::uint64_t seed) {
        return simulate_arrays({samples, features, teacher, noise, seed});
      },
      "samples"_a, "features"_a, "teacher"_a, "noise"_a, "seed"_a);
}
