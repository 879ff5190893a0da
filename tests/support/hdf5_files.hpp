// Writes .h5ad and 10x .h5 files for tests, as anndata and Cell Ranger lay them out.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/temp_files.hpp"

namespace cavity::test {

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path) : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, 0, 0)) {}
  ~Hdf5Writer() { close(); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  std::string close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
    return path_;
  }

  void group(const std::string& name) const { H5Gclose(H5Gcreate2(file_, name.c_str(), 0, 0, 0)); }

  template <class T>
  void numbers(const std::string& name, const std::vector<T>& values, std::vector<hsize_t> shape = {},
               bool compressed = false) const {
    if (shape.empty()) shape = {values.size()};
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed) {
      H5Pset_chunk(how, static_cast<int>(shape.size()), shape.data());
      H5Pset_shuffle(how);
      H5Pset_deflate(how, 6);
    }
    const hid_t set = H5Dcreate2(file_, name.c_str(), type_of(T{}), space, 0, how, 0);
    H5Dwrite(set, type_of(T{}), H5S_ALL, H5S_ALL, 0, values.data());
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
  }

  /// Of a size that is not stored.
  void nothing(const std::string& name, std::vector<hsize_t> shape) const {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(shape.size(), 100);
    H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data());
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_NATIVE_FLOAT, space, 0, how, 0));
    H5Pclose(how);
    H5Sclose(space);
  }

  void texts(const std::string& name, const std::vector<std::string>& values, bool fixed = false) const {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr), type = H5Tcopy(H5T_C_S1);
    std::size_t longest = 1;
    for (const auto& value : values) longest = std::max(longest, value.size() + 1);
    H5Tset_size(type, fixed ? longest : H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t set = H5Dcreate2(file_, name.c_str(), type, space, 0, 0, 0);
    std::string block;
    std::vector<const char*> pointers;
    for (const auto& value : values) {
      block += value + std::string(longest - value.size(), '\0');
      pointers.push_back(value.c_str());
    }
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, 0, fixed ? static_cast<const void*>(block.data()) : pointers.data());
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
  }

  void attribute(const std::string& object, const std::string& name, const std::string& value) const {
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t made = H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, 0, 0, 0);
    const char* text = value.c_str();
    H5Awrite(made, type, &text);
    H5Aclose(made);
    H5Tclose(type);
    H5Sclose(space);
  }
  void attribute(const std::string& object, const std::string& name, const std::vector<std::int64_t>& values) const {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t made = H5Acreate_by_name(file_, object.c_str(), name.c_str(), H5T_NATIVE_INT64, space, 0, 0, 0);
    H5Awrite(made, H5T_NATIVE_INT64, values.data());
    H5Aclose(made);
    H5Sclose(space);
  }

  /// An empty data frame with its index.
  void frame(const std::string& name, const std::vector<std::string>& index) const {
    group(name);
    attribute(name, "encoding-type", "dataframe");
    attribute(name, "_index", "_index");
    texts(name + "/_index", index);
  }
  void categories(const std::string& name, const std::vector<std::string>& categories,
                  const std::vector<std::int8_t>& codes) const {
    group(name);
    attribute(name, "encoding-type", "categorical");
    texts(name + "/categories", categories);
    numbers(name + "/codes", codes);
  }

  /// Of a dense matrix, whichever way: rows one after the other, zeros left out.
  void compressed(const std::string& name, const std::vector<std::vector<double>>& rows) const {
    std::vector<double> data;
    std::vector<std::int32_t> indices, start = {0};
    for (const auto& row : rows) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] == 0) continue;
        data.push_back(row[j]);
        indices.push_back(static_cast<std::int32_t>(j));
      }
      start.push_back(static_cast<std::int32_t>(data.size()));
    }
    numbers(name + "/data", data, {}, true);
    numbers(name + "/indices", indices);
    numbers(name + "/indptr", start);
  }

 private:
  static hid_t type_of(double) { return H5T_NATIVE_DOUBLE; }
  static hid_t type_of(float) { return H5T_NATIVE_FLOAT; }
  static hid_t type_of(std::int8_t) { return H5T_NATIVE_INT8; }
  static hid_t type_of(std::int32_t) { return H5T_NATIVE_INT32; }
  static hid_t type_of(std::int64_t) { return H5T_NATIVE_INT64; }
  std::string path_;
  hid_t file_;
};

}  // namespace cavity::test
