// Tables of cells in HDF5: AnnData's .h5ad, with what it knows of the cells, and 10x Genomics' .h5.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Of an .h5ad: X, or the layer `options.layer` (raw: raw/X), dense or sparse; `obs` is the sample sheet, where none is
/// given; names from `var`. Of a 10x .h5: cells are samples, features named as in a 10x folder. `path` is for messages.
/// InputError for any other file; UsageError for a layer, or a label, that is not there.
Dataset read_cell_file(const Bytes& bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
