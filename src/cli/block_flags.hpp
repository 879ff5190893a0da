// --block NAME=FILE and --block-name: several tables of the same samples.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cavity/blocks.hpp"
#include "cavity/model.hpp"

namespace cavity::cli {

struct BlockFlags {
  std::vector<std::string> named;  // NAME=FILE
  std::string first_name;

  void add(CLI::App& command);
  bool several() const { return !named.empty(); }
  /// Of a fit: the data and the tables beside it. UsageError for what is no NAME=FILE.
  std::vector<BlockFile> files(const std::string& data) const;
  /// Of a model, with the features that it has of each. UsageError for a block that it does not know.
  std::vector<BlockFile> files(const std::string& data, const Model& model) const;
};

}  // namespace cavity::cli
