// Several tables of the same samples, each a block of features, as one data set.
#pragma once

#include <string>
#include <vector>

#include "cavity/read.hpp"

namespace cavity {

struct BlockFile {
  std::string name, path;
  std::vector<std::string> features{};  // prediction: the model's features of this block; else empty
};

/// The first is read as read_dataset() would, the others by themselves, and all are joined by sample id. Where labels
/// stand in the first table they say who takes part; with a sample sheet, or without labels, whoever is in any table
/// does. What a sample lacks is NaN. Features of one name in two blocks become "block:name".
/// InputError for a table whose ids are nobody's, or that has none where others do; UsageError for names of blocks that
/// are empty, alike or hold ':' or '='.
Dataset read_blocks(const std::vector<BlockFile>& files, const ReadOptions& options = {});

/// "data/rna.tsv.gz" -> "rna".
std::string block_name_of(const std::string& path);

}  // namespace cavity
