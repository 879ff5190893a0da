#include "search/whole_table.hpp"

#include "prepare/make_design.hpp"

namespace cavity {

namespace {

GridProblem over(const Design& design, const GridProblem& p) {
  return {design, p.labels, p.covariates, p.activation, p.groups, p.columns};
}

/// One process of several, even where it is the only one, does what several do.
bool shared(const Shards& shards) { return &shards != &Shards::whole() && !shards.accelerator(); }

}  // namespace

WholeTable::WholeTable(const Prepared& prepared, const GridProblem& problem)
    : shards_(problem.design.shards()),
      own_features_(problem.design.features()),
      design_(shared(shards_) ? make_design(prepared) : nullptr),
      problem_(over(design_ ? *design_ : problem.design, problem)) {}

SolvedCell WholeTable::own_part(SolvedCell cell) const {
  if (!design_) return cell;
  const Shards::Part own = shards_.place(own_features_);
  Posterior mine = *cell.posterior;
  for (auto* of_features : {&mine.inclusion, &mine.mean, &mine.variance, &mine.feature_site_precision})
    if (!of_features->empty())
      *of_features = {of_features->begin() + static_cast<std::ptrdiff_t>(own.first),
                      of_features->begin() + static_cast<std::ptrdiff_t>(own.last)};
  cell.posterior = std::make_shared<const Posterior>(std::move(mine));
  return cell;
}

}  // namespace cavity
