// The fit on halves of the samples.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cavity/report.hpp"
#include "cavity/stability.hpp"
#include "interruptible.hpp"
#include "samples.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace cavity;

namespace {

/// What counts as selected, and as stable.
struct Rule {
  std::size_t pairs, selected;
  std::optional<double> rate;
  double threshold;
  bool analytic;
};

nb::tuple as_tuple(Stability s) {
  const std::string summary = stability_json(s, 0);
  return nb::make_tuple(arrays::to_array(std::move(s.fit.model.questions.front().features.inclusion)),
                        arrays::to_array(std::move(s.mean)), arrays::to_array(std::move(s.sd)),
                        arrays::to_array(std::move(s.share)), arrays::to_array(std::move(s.stable)), summary);
}

template <class Features>
nb::tuple stability_of(const Features& features, const arrays::Labels& labels, const Samples& samples,
                       const FitOptions& fit, const Rule& rule, const nb::object& progress) {
  Dataset data = to_dataset(features, labels, samples);
  using Done = std::pair<std::size_t, std::size_t>;
  Interruptible<Done> run;
  StabilityOptions options{fit, rule.pairs, rule.selected, rule.rate, rule.threshold, rule.analytic, {}};
  options.fit.observer.keep_going = [&run] { return run.keep_going(); };
  options.progress = [&run](std::size_t done, std::size_t all) {
    run.report({done, all});
    return run.keep_going();
  };
  Stability result;
  run.run([&] { result = stability(std::move(data), options); },
          [&](const Done& done) {
            if (!progress.is_none()) progress(done.first, done.second);
          });
  return as_tuple(std::move(result));
}

}  // namespace

void bind_stability(nb::module_& m) {
  nb::class_<Rule>(m, "StabilityRule")
      .def(
          "__init__",
          [](Rule* self, std::size_t pairs, std::size_t selected, std::optional<double> rate, double threshold,
             bool analytic) {
            new (self) Rule{pairs, selected, rate, threshold, analytic};
          },
          "pairs"_a, "selected"_a, "rate"_a.none(), "threshold"_a, "analytic"_a);
  const auto define = [&m](auto* function) {
    m.def("stability", function, "features"_a, "labels"_a, "samples"_a, "options"_a, "rule"_a, "progress"_a.none());
  };
  define(&stability_of<CompressedColumns>);
  define(&stability_of<arrays::Table>);
}
