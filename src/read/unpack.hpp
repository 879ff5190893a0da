// From the bytes of a file to those of a table: decompressed, and taken out of the archive that they stand in.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// gzip, zstd and UTF-16 are undone; of an .xlsx workbook the sheet `options.sheet` becomes CSV; of an .npz comes the
/// array `options.layer`, or the only one, or the one called X; of another zip archive the only file. `path` is for
/// messages. What would take more memory than so few packed bytes may ask for (file/memory_budget.hpp), or than
/// `options.memory`, where that is more, is an InputError. UsageError for a sheet or an array that is not there,
/// InputError for other archives.
Bytes unpacked(Bytes bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
