// Panels of few features, and samples as both panels and stability take them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ostream>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cavity/model_file.hpp"
#include "cavity/panel_report.hpp"
#include "file/atomic_file.hpp"
#include "interruptible.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/panel_page.hpp"
#include "samples.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace cavity;

namespace {

/// Panels as Python keeps them: what `cavity panel --json` prints, a model a size, and the page's data.
struct Panels {
  std::string json, page;
  std::vector<Model> models;  // of 1, 2, ... features
};

Panels kept(const Panel& panel, FitOptions options) {
  options.observer = {};  // it refers to the run that is over
  Panels out{panel_json(panel), dumped(panel_page_data(panel, {"", "", options})), {}};
  for (std::size_t size = 1; size <= panel.sizes.size(); ++size) out.models.push_back(panel_model(panel, size));
  return out;
}

template <class Features>
Panels panel_of(const Features& features, const arrays::Labels& labels, const Samples& samples, const FitOptions& fit,
                PanelOptions options, const nb::object& progress) {
  Dataset data = to_dataset(features, labels, samples);
  using Done = std::pair<std::size_t, std::size_t>;
  Interruptible<Done> run;
  options.fit = fit;
  options.fit.observer.keep_going = [&run] { return run.keep_going(); };
  options.progress = [&run](std::size_t done, std::size_t all) {
    run.report({done, all});
    return run.keep_going();
  };
  Panels out;
  run.run([&] { out = kept(panel(std::move(data), options), options.fit); },
          [&](const Done& done) {
            if (!progress.is_none()) progress(done.first, done.second);
          });
  return out;
}

void write_report(const Panels& panels, const std::string& path, const std::string& name, const std::string& command) {
  nlohmann::ordered_json shown = nlohmann::ordered_json::parse(panels.page);
  shown["file"] = shown["fit"]["file"] = name;
  shown["command"] = shown["fit"]["command"] = command;
  const std::string page = html_report(shown);
  write_file_atomically(path, [&](std::ostream& out) { out << page; });
}

void bind_samples(nb::module_& m) {
  using Names = std::vector<std::string>;
  nb::class_<Samples>(m, "Samples", "What the samples of a table are.")
      .def(
          "__init__",
          [](Samples* self, Names features, Names names, Names classes, std::string label,
             std::vector<std::pair<std::string, Names>> covariates, Names groups) {
            new (self) Samples{std::move(features), std::move(names),      std::move(classes),
                               std::move(label),    std::move(covariates), std::move(groups)};
          },
          "feature_names"_a, "sample_names"_a, "class_names"_a, "label_name"_a, "covariates"_a, "groups"_a);
}

}  // namespace

void bind_panel(nb::module_& m) {
  bind_samples(m);
  nb::class_<PanelOptions>(m, "PanelOptions")
      .def(nb::init<>())
      .def_rw("most", &PanelOptions::most)
      .def_rw("size", &PanelOptions::size)
      .def_rw("must", &PanelOptions::must)
      .def_rw("never", &PanelOptions::never)
      .def_rw("among", &PanelOptions::from)
      .def_rw("cost", &PanelOptions::price)
      .def_rw("normalise", &PanelOptions::normalise)
      .def_rw("folds", &PanelOptions::folds)
      .def_rw("repeats", &PanelOptions::repeats)
      .def_rw("margin", &PanelOptions::margin);
  nb::class_<Panels>(m, "Panels", "Panels of every size, and what they cost.")
      .def_ro("json", &Panels::json)
      .def(
          "model", [](const Panels& panels, std::size_t size) { return panels.models.at(size - 1); }, "size"_a)
      .def("write_report", &write_report, "path"_a, "name"_a, "command"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__getstate__",
           [](const Panels& panels) {
             nb::list models;
             for (const Model& model : panels.models) {
               const std::string bytes = model_bytes(model);
               models.append(nb::bytes(bytes.data(), bytes.size()));
             }
             return nb::make_tuple(panels.json, panels.page, models);
           })
      .def("__setstate__", [](Panels& panels, const nb::tuple& state) {
        new (&panels) Panels{nb::cast<std::string>(state[0]), nb::cast<std::string>(state[1]), {}};
        for (const nb::handle one : nb::cast<nb::list>(state[2])) {
          const auto bytes = nb::cast<nb::bytes>(one);
          panels.models.push_back(model_from_bytes({static_cast<const char*>(bytes.data()), bytes.size()}));
        }
      });
  const auto define = [&m](auto* function) {
    m.def("panel", function, "features"_a, "labels"_a, "samples"_a, "options"_a, "asked"_a, "progress"_a.none());
  };
  define(&panel_of<CompressedColumns>);
  define(&panel_of<arrays::Table>);
}
