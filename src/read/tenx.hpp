// The three files that 10x Genomics' Cell Ranger leaves: matrix.mtx, features.tsv (once genes.tsv) and barcodes.tsv,
// plain or gzip, in one folder.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Whether `path` is a folder with a matrix.mtx, or such a file with its two companions beside it.
bool names_tenx(const std::string& path);

/// The files themselves: matrix, features, barcodes. IoError for one that is not there.
std::vector<std::string> tenx_files(const std::string& path);

/// What the three of `tenx_files` hold, plain or gzip: cells are samples, named by their barcodes; features by their
/// symbol, and by symbol_id where several have one symbol. InputError where they do not belong
/// together.
Dataset tenx_from_bytes(std::array<Bytes, 3> contents, const std::vector<std::string>& files,
                        const ReadOptions& options);

/// UsageError where labels are required and there is neither a sheet nor a file of labels.
Dataset read_tenx(const std::string& path, const ReadOptions& options);

}  // namespace cavity
