// The parts of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_fit(nanobind::module_& m);
void bind_cohort(nanobind::module_& m);     // after bind_fit
void bind_panel(nanobind::module_& m);      // after bind_fit
void bind_stability(nanobind::module_& m);  // after bind_panel
void bind_theory(nanobind::module_& m);
