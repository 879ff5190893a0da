// A question and what answers it: cells, solved, trusted and mixed.
#pragma once

#include <vector>

#include "fit/average_features.hpp"
#include "fit/bent.hpp"
#include "fit/fit_table.hpp"
#include "fit/mix.hpp"
#include "search/cells.hpp"

namespace cavity {

struct Answer {
  std::uint32_t of_class;           // the side that is asked for
  std::vector<std::int8_t> labels;  // +1 a sample of it, -1 of the others
  ActivationKind activation;
  Cells cells;
  Mixed mixed;
  FeatureAverage average{};  // what is said of features
  BentAnswer bent{};

  std::size_t size() const { return cells.list.size(); }
  const SolvedCell& cell(std::size_t k) const { return cells.list[k]; }
  double weight(std::size_t k) const { return mixed.weight[k]; }
  AnyActivation activation_at(const GridPoint& where) const {
    return make_activation(activation, where.noise, where.width, where.density);
  }
};

/// One a question. InputError where no cell gave finite numbers.
std::vector<Answer> answer_questions(const FitTable& table, const FitOptions& options, ThreadPool& pool);

}  // namespace cavity
