// Which column of a table is what: label, sample id, covariate, feature, or left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cavity/read.hpp"
#include "read/csv_head.hpp"

namespace cavity {

enum class Role : std::uint8_t { feature, label, sample_id, covariate, group, ignored };

struct CsvLayout {
  std::vector<Role> roles;              // one a column
  std::vector<std::string> names;       // one a column: of the header, x<k> for the k-th feature, else its position
  std::vector<std::size_t> covariates;  // columns, in the order asked for
  std::optional<std::size_t> label, sample_id, group;
  std::size_t features = 0;
};

/// Throws UsageError for a column that is not there or has two roles, InputError for two columns of one name. Decisions
/// go into `notes`.
CsvLayout plan_columns(const CsvHead& head, const std::string& path, const ReadOptions& options,
                       std::vector<std::string>& notes);

}  // namespace cavity
