#include "cavity/fit.hpp"

#include <emscripten.h>

#include <ostream>

#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "file/atomic_file.hpp"
#include "page/requests.hpp"
#include "report/html_report.hpp"
#include "report/result_csv.hpp"

namespace cavity::page {

namespace {

// clang-format off
EM_JS(void, tell_progress, (double cell, double cells, double density, double noise, double residual), {
  Module.progress({ cell, cells, density, noise, residual });
});
// clang-format on

FitOptions fit_options() {
  FitOptions out;
  out.threads = 1;
  out.observer.progress = [](const Progress& p) {
    tell_progress(static_cast<double>(p.cell), static_cast<double>(p.cells), p.density, p.noise, p.residual);
    return true;
  };
  return out;
}

void leave(const std::string& path, const std::string& content) {
  write_file_atomically(path, [&](std::ostream& out) { out << content; });
}

}  // namespace

Json fit(const Json& request) {
  const std::string& path = request.at("file").get_ref<const std::string&>();
  const ReportContext context{path, request.at("command").get<std::string>(), fit_options()};
  Fit result = cavity::fit(read_dataset(path, reading(request)), context.options);
  result.model.summary_json = fit_json(result, {.loo = true, .features = 0, .seed = context.options.solver.seed});
  const std::string& stem = request.at("stem").get_ref<const std::string&>();
  save_model(result.model, stem + ".cavity");
  result = spell_options(std::move(result), OptionStyle::flags);
  leave(stem + "-loo.csv", loo_csv(result));
  leave(stem + "-features.csv", feature_csv(result.model));
  const Json report = report_data(result, context);
  leave(stem + "-report.html", html_report(report));
  return {{"converged", result.converged()},
          {"report", report},
          {"files",
           {{"report", stem + "-report.html"},
            {"model", stem + ".cavity"},
            {"predictions", stem + "-loo.csv"},
            {"features", stem + "-features.csv"}}}};
}

}  // namespace cavity::page
