// What each feature of the file says alone, beside its inclusion.
#pragma once

#include "base/threads.hpp"
#include "cavity/model.hpp"
#include "fit/fit_table.hpp"

namespace cavity {

/// Adds it to the model's questions. Nothing where inputs are no features (whitening), and where samples belong
/// together: a t that takes them for independent says too much.
void describe_marginals(const FitTable& table, ThreadPool& pool, Model& model);

}  // namespace cavity
