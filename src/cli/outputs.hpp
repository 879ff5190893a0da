// What a command would write, held against what it reads: nothing is replaced by accident.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace cavity::cli {

/// A file and what it is to the command: "the data", "--report". An empty path is no file.
struct NamedFile {
  std::string role, path;
};

/// The data, with the partners of a PLINK file, and whatever the flags name. "-" is standard input.
std::vector<NamedFile> files_read(const std::string& data, const ReadOptions& options);

/// For every output that is asked for: UsageError where it is one of the inputs or another output, under whatever name,
/// and the IoError that writing it would end with.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace cavity::cli
