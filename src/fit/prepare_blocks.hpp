// Several blocks of features become one prepared table:
//   1. each is prepared by itself on the samples that have it, as a table alone would be (fit/pilot.hpp)
//   2. a sample that lacks it is told its features by those of the blocks that it has, by the ridge regression of
//      fit/absent_features.hpp over the training samples that have both
//   3. the features of a block are multiplied by one factor, found by evidence (fit/block_kernels.hpp): from here on
//      nobody needs to know of blocks.
#pragma once

#include <optional>

#include "fit/block_kernels.hpp"
#include "fit/labelled.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// What is remembered of the blocks of a prepared table.
struct BlockTable {
  std::vector<std::size_t> kept, lacking;  // a block: features that inference sees; samples without it
  std::optional<BlockKernels> kernels;     // none: too many samples for them
  BlockLabels labels;                      // of the questions
  std::vector<double> log_scales;          // found
};

struct PreparedBlocks {
  Prepared prepared;
  BlockTable table;
};

/// Takes the data as prepare() does. UsageError for what is not done to several blocks (whitening), InputError for a
/// block that too few samples have.
PreparedBlocks prepare_blocks(Dataset&& data, const Labelled& samples, const SampleGroups* groups,
                              const FitOptions& options, ThreadPool& pool);

}  // namespace cavity
