// The module: errors and what it consists of. Bindings convert; everything else is in the core or in Python.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "cavity/errors.hpp"
#include "cavity/report.hpp"

namespace nb = nanobind;

namespace {

std::string in_python(const cavity::Error& error) {
  return cavity::spell_options(error.what(), cavity::OptionStyle::python);
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const cavity::IoError& error) {
    PyErr_SetString(PyExc_OSError, in_python(error).c_str());
  } catch (const cavity::Error& error) {
    PyErr_SetString(PyExc_ValueError, in_python(error).c_str());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The C++ core of cavity: use the classes and functions of the package instead.";
  m.attr("__version__") = CAVITY_VERSION;
  nb::register_exception_translator(translate);
  bind_fit(m);
  bind_cohort(m);
  bind_panel(m);
  bind_stability(m);
  bind_theory(m);
}
