// What a model file says of its own leave-one-out: the JSON of its fit, which it keeps.
#pragma once

#include <optional>
#include <vector>

#include "cavity/validate.hpp"

namespace cavity {

/// None of models whose fit left no summary, or one in another shape.
std::optional<Promise> promise_of(const Model& model);

/// Training samples x classes; empty where it is not known.
std::vector<double> left_out_of(const Model& model);

/// The class of every training sample; empty where it is not known.
std::vector<std::uint32_t> truth_of(const Model& model);

/// Of samples that were left out together; 0: they were left out one by one, or it is not known.
std::size_t groups_of(const Model& model);

/// Whether the model was adapted to another site.
bool adapted(const Model& model);

}  // namespace cavity
