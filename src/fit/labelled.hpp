// What is known of the samples, and what can be refused before anything is computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/shards.hpp"
#include "cavity/dataset.hpp"
#include "cavity/fit_options.hpp"

namespace cavity {

/// What a data set says of its samples, apart from the table, which prepare() takes.
struct Labelled {
  std::vector<std::uint32_t> classes;  // a sample
  std::vector<std::size_t> counts;     // a class
  std::vector<std::string> class_names;
  std::string label_name, id_name;
  std::vector<std::string> sample_names, groups, notes;
  std::vector<std::string> numbering;  // features that number the samples (table/numbering.hpp): name and why

  std::size_t class_count() const { return class_names.size(); }
};
/// InputError unless every sample has a class and every class samples.
Labelled checked_labels(const Dataset& data);
/// None where the data name no groups. InputError unless every sample can be left out with its group: there are two
/// groups or more, and none holds a whole class. UsageError for a solver that cannot leave out groups.
std::optional<SampleGroups> checked_groups(const Dataset& data, const FitOptions& options, const Shards& shards);
/// UsageError unless there are none, or as many as classes, positive and with sum 1.
void check_class_prior(const FitOptions& options, const std::vector<std::string>& class_names);
/// UsageError for what several processes cannot do together, InputError where they have not read the same: files of one
/// name may differ between machines.
void check_processes(const Dataset& data, const FitOptions& options, const Shards& shards);

}  // namespace cavity
