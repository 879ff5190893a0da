#include "simulate/write_npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <ostream>

#include "file/atomic_file.hpp"

namespace cavity {

static_assert(std::endian::native == std::endian::little, "the header says '<f4'");

void write_npy(const Dataset& dataset, const std::string& path) {
  const FeatureMatrix& x = dataset.features.dense();
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", x.rows, x.cols);
  constexpr std::size_t prefix = 10, alignment = 64;  // magic, version and length come first; the data is aligned
  header.append(alignment - (prefix + header.size() + 1) % alignment, ' ');
  header += '\n';
  write_file_atomically(path, [&](std::ostream& out) {
    out.write("\x93NUMPY\x01\x00", 8);
    out.put(static_cast<char>(header.size() & 0xFF)).put(static_cast<char>(header.size() >> 8));
    out << header;
    out.write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(x.rows * x.cols * sizeof(float)));
  });
}

void write_labels(const Dataset& dataset, const std::string& path) {
  write_file_atomically(path, [&](std::ostream& out) {
    for (const auto k : dataset.classes) out << dataset.class_names[k] << '\n';
  });
}

}  // namespace cavity
