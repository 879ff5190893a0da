// What a question is answered by: its cells, solved, trusted and mixed.
#pragma once

#include <vector>

#include "fit/bent.hpp"
#include "fit/choose.hpp"
#include "fit/fit_table.hpp"
#include "search/solve.hpp"

namespace cavity {

struct Answer {
  std::uint32_t of_class;           // the side that is asked for
  std::vector<std::int8_t> labels;  // +1 a sample of it, -1 of the others
  ActivationKind activation;
  Solved solved;
  Choice choice;
  BentAnswer bent{};

  std::size_t cells() const { return solved.posteriors.size(); }
  double weight(std::size_t cell) const { return choice.weight[cell]; }
  AnyActivation activation_at(std::size_t cell) const {
    const GridPoint point = solved.grid.point(cell);
    return make_activation(activation, point.noise, point.width, point.density);
  }
};

/// One a question. InputError where no cell gave finite numbers.
std::vector<Answer> answer_questions(const FitTable& table, const FitOptions& options, ThreadPool& pool);

}  // namespace cavity
