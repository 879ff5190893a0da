// What can be refused before anything is computed.
#pragma once

#include <optional>

#include "base/shards.hpp"
#include "cavity/fit.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

/// What a data set says of its samples, apart from the table, which prepare() takes.
struct Labelled {
  std::vector<std::int8_t> labels;
  std::vector<std::string> class_names;
  std::string label_name, id_name;
  std::vector<std::string> sample_names, groups, notes;
};

/// InputError unless every sample has a label and both classes are there.
Labelled checked_labels(const Dataset& data);

/// None where the data name no groups. InputError unless every sample can be left out with its group: there are two
/// groups or more, and none holds a whole class. UsageError for a solver that cannot leave out groups.
std::optional<SampleGroups> checked_groups(const Dataset& data, const FitOptions& options, const Shards& shards);

/// UsageError unless its shares are positive and sum to 1.
void check_population(const FitOptions& options);

/// UsageError for what several processes cannot do together, InputError where they have not read the same: files of one
/// name may differ between machines.
void check_processes(const Dataset& data, const FitOptions& options, const Shards& shards);

}  // namespace cavity
