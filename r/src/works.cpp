#include "works.hpp"

#include <stdexcept>

#include "cavity/fit_options.hpp"
#include "cavity/preprocessing.hpp"

namespace {

constexpr std::pair<const char*, Work> known_works[] = {
    {"fit", fit_work},
    {"predict", predict_work},
    {"validate", validate_work},
    {"adapt", adapt_work},
    {"panel", panel_work},
    {"page", page_work},
    {"stability", stability_work},
    {"read_model", read_model_work},
    {"write_model", write_model_work},
    {"model_bytes", model_bytes_work},
    {"model_from_bytes", model_from_bytes_work},
    {"report", report_work},
    {"linear_score", linear_score_work},
    {"discoveries", discoveries_work},
    {"simulate", simulate_work},
    {"learning_curve", learning_curve_work},
    {"plan", plan_work},
    {"names", names_work},
};

}  // namespace

Work work_named(const std::string& name) {
  for (const auto& [its_name, work] : known_works)
    if (name == its_name) return work;
  throw std::logic_error("no work is called '" + name + "'");
}

cavity_value names_work(cavity_job&) {
  cavity_value out;
  out.put("solver", cavity::solver_names());
  out.put("boundary", cavity::boundary_names());
  out.put("select", cavity::selection_names());
  out.put("value_transform", cavity::transform_names());
  return out;
}
