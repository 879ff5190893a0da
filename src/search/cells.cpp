#include "search/cells.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cavity {

Method method_of(Solver solver) {
  switch (solver) {
    case Solver::ep:
      return Method::ep;
    case Solver::gamp:
      return Method::gamp;
    case Solver::amp:
      return Method::amp;
    case Solver::bp:
      return Method::bp;
    case Solver::gibbs:
      return Method::gibbs;
    case Solver::automatic:
      break;
  }
  throw std::logic_error("solver");
}

std::string to_string(Method method) {
  switch (method) {
    case Method::ep:
      return to_string(Solver::ep);
    case Method::gamp:
      return to_string(Solver::gamp);
    case Method::amp:
      return to_string(Solver::amp);
    case Method::bp:
      return to_string(Solver::bp);
    case Method::gibbs:
      return to_string(Solver::gibbs);
    case Method::places:
    case Method::one_place:
      return "places";
  }
  throw std::logic_error("method");
}

bool SolvedCell::reliable(std::size_t features) const {
  if (left_out.right == Right::none) return false;
  if (sampled()) return usable(status);
  if (status != Status::converged) return false;
  return by_folds() || kept(features) >= std::min(fewest_kept, 0.5 * static_cast<double>(features));
}

SolvedCell solved_cell(const GridPoint& where, std::size_t column, Method by, Posterior posterior) {
  SolvedCell out;
  out.where = where;
  out.column = column;
  out.by = by;
  out.status = posterior.status;
  out.left_out = {out.sampled() ? Right::visits : Right::cavities, posterior.loo_log_probability,
                  posterior.cavity_variance, posterior.loo_error, posterior.loo_log_loss};
  out.posterior = std::make_shared<const Posterior>(std::move(posterior));
  return out;
}

SolvedCell without_features(SolvedCell cell) {
  Posterior kept = *cell.posterior;
  for (auto* of_features : {&kept.inclusion, &kept.mean, &kept.variance, &kept.feature_site_precision})
    *of_features = {};
  cell.posterior = std::make_shared<const Posterior>(std::move(kept));
  cell.state = nullptr;
  return cell;
}

}  // namespace cavity
