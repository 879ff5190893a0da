// What can be refused of more than two classes before anything is computed.
#pragma once

#include <cstdint>
#include <vector>

#include "cavity/fit.hpp"

namespace cavity {

/// Samples of each class. InputError unless every sample has a class and every class a sample.
std::vector<std::size_t> checked_counts(const Dataset& data);

/// UsageError unless there is a positive share for each class, with sum 1, or none at all.
void check_shares(const FitOptions& options, const std::vector<std::string>& class_names);

/// +1 for samples of the class, -1 for the rest.
std::vector<std::int8_t> against_rest(const std::vector<std::uint32_t>& classes, std::size_t of_class);

}  // namespace cavity
