// The design over prepared samples, whatever the form of their table.
#pragma once

#include <memory>
#include <span>

#include "design/design.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// The design refers to the values of `inputs`, which must stay alive and in place. With several processes, this one's
/// part of it.
std::unique_ptr<const Design> make_design(const Inputs& inputs, const Shards& shards = Shards::whole());

/// Bytes that the features of this process take.
std::size_t feature_bytes(const Inputs& inputs, const Shards& shards = Shards::whole());

/// samples x inputs; a missing value is its centre. Borrowed from a dense table, which must then outlive it.
FeatureMatrix dense_values(const Inputs& inputs, const Shards& shards = Shards::whole());

/// Some columns of it, copied.
FeatureMatrix some_values(const Inputs& inputs, std::span<const std::uint32_t> which);

}  // namespace cavity
