// The theory: records in, records out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cavity/theory.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace cavity;

namespace {

void bind_records(nb::module_& m) {
  nb::class_<Perceptron>(m, "Perceptron")
      .def(
          "__init__",
          [](Perceptron* self, double density, const std::string& activation, double noise) {
            new (self) Perceptron{density, parse_activation(activation), noise};
          },
          "density"_a, "activation"_a, "noise"_a);
  nb::class_<TheoryPoint>(m, "TheoryPoint")
      .def(
          "__init__",
          [](TheoryPoint* self, double ratio, const Perceptron& teacher, const Perceptron& student) {
            new (self) TheoryPoint{ratio, teacher, student};
          },
          "ratio"_a, "teacher"_a, "student"_a);
  nb::class_<EvolutionStep>(m, "EvolutionStep")
      .def_ro("t", &EvolutionStep::t)
      .def_ro("overlap", &EvolutionStep::overlap)
      .def_ro("power", &EvolutionStep::power)
      .def_ro("error_sbc", &EvolutionStep::error_sbc)
      .def_ro("error_gibbs", &EvolutionStep::error_gibbs);
  nb::class_<ReplicaSolution>(m, "ReplicaSolution")
      .def_ro("overlap", &ReplicaSolution::overlap)
      .def_ro("power", &ReplicaSolution::power)
      .def_ro("overlap_hat", &ReplicaSolution::overlap_hat)
      .def_ro("power_hat", &ReplicaSolution::power_hat)
      .def_ro("precision", &ReplicaSolution::precision)
      .def_ro("log_odds", &ReplicaSolution::log_odds)
      .def_ro("error_sbc", &ReplicaSolution::error_sbc)
      .def_ro("error_gibbs", &ReplicaSolution::error_gibbs)
      .def_ro("free_energy", &ReplicaSolution::free_energy)
      .def_ro("stability", &ReplicaSolution::stability)
      .def_ro("steps", &ReplicaSolution::steps)
      .def_ro("converged", &ReplicaSolution::converged);
  nb::class_<Plan>(m, "Plan")
      .def_ro("reachable", &Plan::reachable)
      .def_ro("samples", &Plan::samples)
      .def_ro("ratio", &Plan::ratio)
      .def_ro("error_sbc", &Plan::error_sbc)
      .def_ro("error_gibbs", &Plan::error_gibbs)
      .def_ro("best_error", &Plan::best_error);
  nb::class_<LearningCurvePoint>(m, "LearningCurvePoint")
      .def_ro("samples", &LearningCurvePoint::samples)
      .def_ro("ratio", &LearningCurvePoint::ratio)
      .def_ro("error_sbc", &LearningCurvePoint::error_sbc)
      .def_ro("error_gibbs", &LearningCurvePoint::error_gibbs);
}

}  // namespace

void bind_theory(nb::module_& m) {
  bind_records(m);
  using Released = nb::call_guard<nb::gil_scoped_release>;
  m.def(
      "replica_fixed_point",
      [](const TheoryPoint& point, bool informed) {
        return replica_fixed_point(point, informed ? TheoryStart::informed : TheoryStart::uninformed);
      },
      "point"_a, "informed"_a, Released());
  m.def("state_evolution", &state_evolution, "point"_a, "steps"_a, Released());
  m.def(
      "sweep", [](const std::vector<TheoryPoint>& points) { return sweep(points); }, "points"_a, Released());
  m.def("plan_error", &plan_error, "features"_a, "truth"_a, "samples"_a, Released());
  m.def("plan_samples", &plan_samples, "features"_a, "truth"_a, "target_error"_a, Released());
  m.def(
      "learning_curve",
      [](double features, const Perceptron& truth, const std::vector<double>& samples) {
        return learning_curve(features, truth, samples);
      },
      "features"_a, "truth"_a, "samples"_a, Released());
}
