// The block that each feature of a model is of.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "cavity/model.hpp"

namespace cavity {

class FeatureBlocks {
 public:
  /// `model` must outlive this.
  explicit FeatureBlocks(const Model& model) {
    auto name = model.preprocessing.feature_names.begin();
    for (const BlockPreparation& block : model.preprocessing.blocks)
      for (std::uint32_t l = 0; l < block.features; ++l) block_of_.emplace(*name++, block.name);
  }

  bool any() const { return !block_of_.empty(); }
  /// Empty of covariates, and of several features together.
  std::string of(std::string_view feature) const {
    const auto found = block_of_.find(feature);
    return found == block_of_.end() ? "" : std::string(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::string_view> block_of_;
};

}  // namespace cavity
