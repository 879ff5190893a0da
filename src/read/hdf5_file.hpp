// What is read of an HDF5 file, over the C library: numbers, texts and attributes by path. Sizes are checked against
// what the file stores before memory is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "file/bytes.hpp"

namespace cavity {

class Hdf5File {
 public:
  /// `bytes` must outlive it; they are not copied. `path` is for messages. InputError where it is no HDF5 file.
  Hdf5File(std::string_view bytes, std::string path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  std::vector<std::string> members(const std::string& group) const;
  /// Of a dataset: its sizes; empty for a single value.
  std::vector<std::uint64_t> shape(const std::string& name) const;
  bool holds_text(const std::string& name) const;
  bool holds_compound(const std::string& name) const;

  /// All values in C order. InputError where they are of another kind, or more than the file can hold.
  std::vector<float> floats(const std::string& name) const;
  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> whole_numbers(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;

  /// Empty where there is none, or it is no text.
  std::string text_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::int64_t> whole_attribute(const std::string& object, const std::string& name) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  template <class T>
  std::vector<T> numbers(const std::string& name, std::int64_t memory_type) const;
  bool texts_are_there(std::int64_t dataset, std::size_t count) const;
  std::size_t checked_count(std::int64_t dataset, std::size_t item, const std::string& name) const;

  std::string path_;
  std::string_view bytes_;
  std::int64_t file_ = -1;
};

}  // namespace cavity
