// The header of a .npy file: a Python dictionary with descr, fortran_order and shape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cavity {

struct NpyHeader {
  char kind = 'f';            // f, i, u or b
  std::size_t item_size = 4;  // bytes
  bool fortran_order = false;
  std::size_t rows = 0, cols = 0;
  std::size_t data = 0;  // offset of the values
};

/// Throws InputError for anything that cannot be read, and when the file is not as long as its shape says.
NpyHeader read_npy_header(std::string_view bytes, const std::string& path);

}  // namespace cavity
