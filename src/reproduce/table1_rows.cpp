#include "reproduce/table1_rows.hpp"

#include <fmt/format.h>

#include "prepare/prepare.hpp"

namespace cavity {

namespace {

constexpr double fixed_noise = 0.4;
enum Table : std::size_t { centred, whitened, raw };

Dataset prepared(const Dataset& colon, bool whiten, ThreadPool& pool) {
  PreprocessingOptions options = paper_preprocessing();
  options.whiten = whiten;
  const Prepared made = prepare(Dataset(colon), options, pool);
  Dataset out = colon;
  const FeatureMatrix& values = made.features.dense();
  FeatureMatrix scaled(values.rows, values.cols);
  out.feature_names.clear();
  for (std::size_t l = 0; l < values.cols; ++l) out.feature_names.push_back(fmt::format("x{}", l + 1));
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    for (std::size_t l = 0; l < values.cols; ++l)
      scaled.row(mu)[l] = static_cast<float>(made.row_scale[mu] * made.columns.scale[l] *
                                             (static_cast<double>(values.row(mu)[l]) - made.columns.centre[l]));
  out.features = std::move(scaled);
  return out;
}

CompareMethod own(const std::string& name, Solver solver, bool fix_noise, Table table) {
  MethodSettings settings{true, {}, table == raw};  // the raw table is whitened on the training part
  if (fix_noise) settings.noise = {fixed_noise};
  CompareMethod out = make_compare_method(solver == Solver::amp ? "sbc" : "sbc-ep", settings);
  out.name = name;
  out.table = table;
  out.fit.preprocessing.centre = table == raw;
  return out;
}

CompareMethod baseline(const std::string& name) {
  CompareMethod out = make_compare_method(name, {true, {}, false});
  out.baseline_options.preprocessing.centre = false;
  return out;
}

}  // namespace

std::vector<Dataset> table1_tables(const Dataset& colon, unsigned threads) {
  ThreadPool pool(threads);
  return {prepared(colon, false, pool), prepared(colon, true, pool), colon};
}

std::vector<Table1Row> table1_rows() {
  using P = std::pair<double, double>;
  return {{own("sbc", Solver::amp, false, centred), "SBC (AMP)", P{23.5, 10.2}},
          {own("sbc-noise", Solver::amp, true, centred), "SBC (AMP), noise 0.4", P{21.0, 9.7}},
          {own("sbc-white", Solver::amp, true, whitened), "SBC (AMP), noise 0.4, whitened over all", P{16.3, 6.2}},
          {own("sbc-white-train", Solver::amp, true, raw), "SBC (AMP), noise 0.4, whitened on training part", {}},
          {own("ep", Solver::ep, false, centred), "SBC (EP)", {}},
          {own("ep-noise", Solver::ep, true, centred), "SBC (EP), noise 0.4", {}},
          {own("ep-white", Solver::ep, true, whitened), "SBC (EP), noise 0.4, whitened over all", {}},
          {own("ep-white-train", Solver::ep, true, raw), "SBC (EP), noise 0.4, whitened on training part", {}},
          {baseline("sbl"), "SBL", P{24.3, 10.7}},
          {baseline("fda"), "FDA, pseudo-inverse", P{39.6, 8.4}},
          {baseline("fda-shrunk"), "FDA, shrinkage", {}}};
}

}  // namespace cavity
