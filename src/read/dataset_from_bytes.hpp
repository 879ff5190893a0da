// read_dataset for bytes that are here already.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// `path` is for messages.
Dataset dataset_from_bytes(Bytes bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
