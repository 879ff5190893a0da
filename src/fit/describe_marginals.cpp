#include "fit/describe_marginals.hpp"

#include "assess/marginal.hpp"

namespace cavity {

void describe_marginals(const FitTable& table, ThreadPool& pool, Model& model) {
  const Preprocessing& how = table.prepared->preprocessing;
  if (how.directions > 0 || table.groups) return;
  const auto others = static_cast<Eigen::Index>(table.covariates.count());
  Matrix covariates = Matrix::Ones(static_cast<Eigen::Index>(table.design->samples()), 1 + others);
  if (others > 0) covariates.rightCols(others) = table.covariates.values;  // a second intercept changes nothing
  std::vector<std::uint32_t> of_class;
  for (std::size_t q = 0; q < model.questions.size(); ++q) of_class.push_back(model.of_class(q));
  const auto found =
      marginals({*table.design, table.prepared->row_scale, covariates, table.samples.classes}, of_class, pool);
  for (std::size_t q = 0; q < found.size(); ++q) {
    std::vector<Marginal>& alone = model.questions[q].features.alone;
    alone.assign(how.feature_names.size(), {});
    for (std::size_t i = 0; i < how.kept.size(); ++i) {
      const MarginalFigures& of = found[q][i];
      alone[how.kept[i]] = {of.difference / how.scale[i], of.t, of.q};
    }
  }
}

}  // namespace cavity
