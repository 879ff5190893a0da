#include "cli/block_flags.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity::cli {

void BlockFlags::add(CLI::App& command) {
  command.option_defaults()->group("Blocks");
  command.add_option("--block", named, "another table of the same samples, joined by id, as NAME=FILE; once for each")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command.add_option("--block-name", first_name,
                     "what the data is called as a block (default: its file's name; of a model: its first block)");
  command.option_defaults()->group("Options");
}

std::vector<BlockFile> BlockFlags::files(const std::string& data) const {
  std::vector<BlockFile> out = {{first_name.empty() ? block_name_of(data) : first_name, data}};
  for (const std::string& text : named) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
      throw UsageError(fmt::format("--block {}: a block is NAME=FILE, such as methylation=meth.tsv.gz", shown(text)));
    out.push_back({text.substr(0, at), text.substr(at + 1)});
  }
  return out;
}

std::vector<BlockFile> BlockFlags::files(const std::string& data, const Model& model) const {
  const std::vector<BlockPreparation>& blocks = model.preprocessing.blocks;
  if (blocks.empty() && (several() || !first_name.empty()))
    throw UsageError("the model was fitted on one table: it has no blocks");
  if (blocks.empty()) return {{"", data}};
  std::vector<BlockFile> out = files(data);
  if (first_name.empty()) out.front().name = blocks.front().name;
  std::vector<std::string> names;
  for (const BlockPreparation& block : blocks) names.push_back(block.name);
  for (BlockFile& file : out) {
    auto first = model.preprocessing.feature_names.begin();
    std::size_t b = 0;
    for (; b < blocks.size() && blocks[b].name != file.name; ++b) first += blocks[b].features;
    if (b == blocks.size())
      throw UsageError(fmt::format("the model has no block {}: it has {}", shown(file.name), shown_names(names, 10)));
    file.features.assign(first, first + blocks[b].features);
  }
  return out;
}

}  // namespace cavity::cli
