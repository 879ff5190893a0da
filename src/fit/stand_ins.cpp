#include "fit/stand_ins.hpp"

#include <algorithm>

#include "cavity/fit.hpp"

namespace cavity {

std::vector<Swap> stand_ins(const PanelProblem& problem, const PanelRules& rules, const Seats& seats, std::size_t place,
                            ThreadPool& pool) {
  constexpr std::size_t refitted = 20, shown = 5;
  std::vector<std::size_t> others(seats.features.begin(), seats.features.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  const Matrix inputs = panel_inputs(problem, others);
  const SoftFit without = fit_panel(problem, inputs);
  std::vector<double> gain = panel_gains(problem, inputs, without, pool);
  for (std::size_t l = 0; l < gain.size(); ++l)
    if (!rules.open.empty() && rules.open[l] == 0) gain[l] = 0;
  for (const std::size_t l : seats.features) gain[l] = 0;
  std::vector<Swap> out;
  Matrix start = Matrix::Zero(inputs.cols() + 1, problem.target.cols());
  start.topRows(inputs.cols()) = without.weight;
  others.push_back(0);
  for (const std::size_t l : ranked(gain, refitted)) {
    if (gain[l] == 0) break;
    others.back() = l;
    const double loss = fit_panel(problem, panel_inputs(problem, others), &start).divergence - seats.divergence;
    if (loss <= seats.margin) out.push_back({l, loss});
  }
  std::ranges::stable_sort(out, {}, &Swap::loss);
  out.resize(std::min(out.size(), shown));
  return out;
}

}  // namespace cavity
