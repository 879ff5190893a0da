#include "fit/panel_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "fit/make_covariates.hpp"
#include "prepare/make_design.hpp"
#include "prepare/transform.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;

bool looks_ranked(const Dataset& data, Choice choice, ThreadPool& pool) {
  if (choice == Choice::rank || choice == Choice::asinh) return true;
  if (choice != Choice::automatic || !data.features.is_dense() || data.features.cols() < fewest_ranked_features)
    return false;
  const ColumnMoments moments = data.features.table().moments(0, data.features.cols(), pool);
  return choose_transform(measure_spread(data.features.dense(), moments.mean, pool), data.features.cols()) ==
         Transform::rank;
}

bool none_negative(const FeatureMatrix& values) {
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    if (std::any_of(values.row(mu), values.row(mu) + values.cols, [](float x) { return x < 0; })) return false;
  return true;
}

/// A copy of what prepare() takes; the values are shared until they are written to.
Dataset table_of(const Dataset& data) {
  Dataset out;
  out.features = data.features;
  out.feature_names = data.feature_names;
  out.sample_names = data.sample_names;
  out.covariates = data.covariates;
  out.absent_is_zero = data.absent_is_zero;
  return out;
}

Matrix target_of(const Prediction& said, std::size_t samples) {
  const bool two = said.classes == 2;
  Matrix out(static_cast<Eigen::Index>(samples), two ? 1 : static_cast<Eigen::Index>(said.classes));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (Eigen::Index k = 0; k < out.cols(); ++k)
      out(static_cast<Eigen::Index>(mu), k) = said.at(mu, two ? 1 : static_cast<std::size_t>(k));
  return out;
}

/// Places of names; InputError that lists those that are not there.
class Names {
 public:
  explicit Names(const std::vector<std::string>& names) {
    for (std::uint32_t l = 0; l < names.size(); ++l) place_.emplace(names[l], l);
  }
  std::vector<std::uint32_t> places(const std::vector<std::string>& wanted, const char* option) const {
    std::vector<std::uint32_t> out;
    std::vector<std::string> absent;
    for (const std::string& name : wanted)
      if (const auto found = place_.find(name); found != place_.end())
        out.push_back(found->second);
      else
        absent.push_back(name);
    if (absent.empty()) return out;
    throw InputError(fmt::format("`{}` names {} that {} not in the data: {}", option,
                                 absent.size() == 1 ? "a feature" : "features", absent.size() == 1 ? "is" : "are",
                                 shown_names(absent, 5)));
  }

 private:
  std::unordered_map<std::string, std::uint32_t> place_;
};

}  // namespace

PreprocessingOptions panel_preprocessing(const Dataset& data, const PreprocessingOptions& of_fit, ThreadPool& pool) {
  PreprocessingOptions out = of_fit;
  out.equal_rows = false;
  if (!looks_ranked(data, of_fit.transform, pool)) return out;
  const bool logs = data.features.is_dense() ? none_negative(data.features.dense()) : data.features.table().sparse();
  out.transform = logs ? Choice::log1p : Choice::feature_asinh;
  return out;
}

std::unique_ptr<const PanelTable> panel_table(const Dataset& data, const Model& fit, const PreprocessingOptions& how,
                                              const FitOptions& options, ThreadPool& pool) {
  auto out = std::make_unique<PanelTable>();
  out->target = target_of(predict(fit, table_of(data), static_cast<unsigned>(pool.size())), data.samples());
  out->prepared = prepare(table_of(data), how, pool);
  out->design = make_design(out->prepared);
  out->intercept = options.intercept;
  out->always = make_covariates(out->prepared.covariates, data.samples(), options.intercept, 1).values;
  return out;
}

PanelChoice panel_choice(const PanelOptions& options, const std::vector<std::string>& feature_names) {
  const Names names(feature_names);
  PanelChoice out{options.most, names.places(options.must, "must"),
                  std::vector<char>(feature_names.size(), options.from.empty() ? 1 : 0),
                  std::vector<double>(feature_names.size(), 1)};
  for (const std::uint32_t l : names.places(options.from, "from")) out.open[l] = 1;
  for (const std::uint32_t l : out.must) out.open[l] = 1;
  for (const std::uint32_t l : names.places(options.never, "never")) {
    if (std::ranges::find(out.must, l) != out.must.end())
      throw UsageError(fmt::format("feature {} stands in `must` and in `never`", shown(feature_names[l])));
    out.open[l] = 0;
  }
  for (const auto& [name, price] : options.price) {
    if (!(price > 0))
      throw InputError(
          fmt::format("feature {} has the price {:g}: a price (`cost`) is a positive number", shown(name), price));
    out.price[names.places({name}, "cost").front()] = price;
  }
  if (std::ranges::count(out.open, 0) == static_cast<std::ptrdiff_t>(out.open.size()))
    throw UsageError("no feature is left to choose from: `never` excludes all that `from` allows");
  return out;
}

PanelRules panel_rules(const PanelChoice& choice, const Preprocessing& preprocessing) {
  PanelRules out;
  out.most = choice.most;
  for (std::size_t j = 0; j < preprocessing.kept.size(); ++j) {
    const std::uint32_t l = preprocessing.kept[j];
    out.open.push_back(choice.open[l]);
    out.price.push_back(choice.price[l]);
    if (std::ranges::find(choice.must, l) != choice.must.end()) out.must.push_back(j);
  }
  return out;
}

Matrix panel_fields(const Inputs& rows, std::span<const std::size_t> features, bool intercept, const Matrix& weight) {
  const Matrix always = make_covariates(rows.covariates, rows.samples(), intercept, 1).values;
  const auto design = make_design(rows);
  Matrix none;
  const PanelProblem problem{*design, always, intercept, none};
  return panel_inputs(problem, features) * weight;
}

}  // namespace cavity
