// What every question of a fit is asked of: the samples, and the prepared table with its products.
#pragma once

#include <memory>
#include <optional>

#include "design/design.hpp"
#include "fit/labelled.hpp"
#include "fit/prepare_blocks.hpp"
#include "infer/problem.hpp"
#include "prepare/prepare.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

struct FitTable {
  Labelled samples;
  std::optional<SampleGroups> groups;
  std::unique_ptr<const Prepared> prepared;
  std::unique_ptr<const Design> design;  // over the prepared table
  Covariates covariates;
  std::optional<BlockTable> blocks{};  // where features come from several tables

  /// Left out together; none: each alone.
  const SampleGroups* together() const { return groups ? &*groups : nullptr; }
  bool has_intercept() const { return covariates.count() > prepared->covariates.cols; }
  /// The problem of these labels, which must outlive it.
  GridProblem problem(std::span<const std::int8_t> labels, const FitOptions& options) const {
    return {*design, labels, covariates, options.activation.value_or(ActivationKind::step), together()};
  }
};

/// Refuses what can be refused, and prepares the rest.
FitTable prepare_table(Dataset data, const FitOptions& options, const Shards& shards, ThreadPool& pool);

/// The class that splits the samples most evenly: its question has most to say of a preparation.
std::uint32_t most_even_class(const Labelled& samples);

}  // namespace cavity
