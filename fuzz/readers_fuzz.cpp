// The same table by several readers: written as CSV, TSV, svmlight, Matrix Market and .npy, all give the same bits.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "fuzzing.hpp"
#include "read/dataset_from_bytes.hpp"
#include "support/temp_files.hpp"

namespace {

using namespace cavity;

struct Values {
  std::size_t rows, cols;
  std::vector<float> at;  // row by row
};

/// Any bits that are a finite number; -0 would come back as the 0 that svmlight leaves out.
Values decoded(const std::uint8_t* data, std::size_t size) {
  Values out{2 + data[0] % 7U, 1 + data[1] % 9U, {}};
  out.at.resize(out.rows * out.cols);
  std::memcpy(out.at.data(), data + 2, std::min(size - 2, out.at.size() * sizeof(float)));
  for (float& x : out.at)
    if (!std::isfinite(x) || x == 0) x = 0;
  return out;
}

std::string table(const Values& v, char delimiter) {
  std::string out = "label";
  for (std::size_t l = 0; l < v.cols; ++l) out += fmt::format("{}g{}", delimiter, l);
  for (std::size_t i = 0; i < v.rows; ++i) {
    out += i % 2 ? "\nt" : "\nn";
    for (std::size_t l = 0; l < v.cols; ++l) out += fmt::format("{}{}", delimiter, v.at[i * v.cols + l]);
  }
  return out + "\n";
}

std::string svmlight(const Values& v) {
  std::string out;
  for (std::size_t i = 0; i < v.rows; ++i) {
    out += i % 2 ? "1" : "-1";
    for (std::size_t l = 0; l < v.cols; ++l)
      if (v.at[i * v.cols + l] != 0 || l + 1 == v.cols) out += fmt::format(" {}:{}", l + 1, v.at[i * v.cols + l]);
    out += "\n";
  }
  return out;
}

std::string matrix_market(const Values& v) {
  std::string out =
      fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", v.rows, v.cols, v.at.size());
  for (std::size_t i = 0; i < v.rows; ++i)
    for (std::size_t l = 0; l < v.cols; ++l) out += fmt::format("{} {} {}\n", i + 1, l + 1, v.at[i * v.cols + l]);
  return out;
}

std::string by_columns(const Values& v) {
  std::vector<float> turned;
  for (std::size_t l = 0; l < v.cols; ++l)
    for (std::size_t i = 0; i < v.rows; ++i) turned.push_back(v.at[i * v.cols + l]);
  return test::raw(turned);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const Values v = decoded(data, size);
  const std::string shape = fmt::format("({}, {})", v.rows, v.cols);
  for (const std::string& bytes :
       {table(v, ','), table(v, '\t'), svmlight(v), matrix_market(v), test::npy("<f4", shape, test::raw(v.at)),
        test::npy("<f4", shape, by_columns(v), true)}) {
    ReadOptions options;
    options.threads = 1;
    options.labels_required = false;
    options.orientation = Orientation::samples_in_rows;
    const Dataset got = dataset_from_bytes(copy_bytes(bytes), "f", options);
    fuzz::expect(got.features.rows() == v.rows && got.features.cols() == v.cols);
    fuzz::expect(std::memcmp(got.features.dense().values.data(), v.at.data(), v.at.size() * sizeof(float)) == 0);
  }
  return 0;
}
