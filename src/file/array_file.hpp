// The container of a model file: named arrays behind a JSON header, with a checksum. docs/model-file.md describes every
// byte. Text is kept in arrays too (length-prefixed), because names may hold bytes that JSON cannot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file/bytes.hpp"

namespace cavity {

using Shape = std::vector<std::uint64_t>;

class ArrayWriter {
 public:
  explicit ArrayWriter(std::uint32_t version = 1) : version_(version) {}

  /// The values are not copied: they must live until write().
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, Shape shape) {
    add_bytes(name, type_name(T{}), std::move(shape),
              {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, values, {values.size()});
  }
  void add_text(const std::string& name, std::span<const std::string> texts);

  /// `header` gets the table of arrays as its member "arrays". Atomic; throws IoError.
  void write(const nlohmann::json& header, const std::string& path) const;
  void write(nlohmann::json header, std::ostream& out) const;

 private:
  friend class ArrayReader;
  static const char* type_name(float) { return "f32"; }
  static const char* type_name(double) { return "f64"; }
  static const char* type_name(std::uint32_t) { return "u32"; }
  static const char* type_name(std::int8_t) { return "i8"; }
  void add_bytes(const std::string& name, const char* type, Shape shape, std::string_view bytes);

  struct Entry {
    std::string name, type;
    Shape shape;
    std::string_view bytes;  // empty for text
    std::string text;
  };
  std::uint32_t version_;
  std::vector<Entry> entries_;
};

/// How messages call a file in this container.
struct ArrayFileWords {
  std::string one, kind, cure;  // "not ONE", "the KIND is damaged: ...; CURE"
};
inline const ArrayFileWords model_words{"a cavity model; a model is the file that `cavity fit DATA -o MODEL` writes",
                                        "model file", "copy it again, or fit again"};

class ArrayReader {
 public:
  /// Checks magic, version, length, checksum, header and table before anything is allocated for an array. Throws
  /// InputError with the path, what is wrong and what to do.
  explicit ArrayReader(const std::string& path) : ArrayReader(read_bytes(path), path) {}
  /// `path` is for messages.
  ArrayReader(Bytes bytes, std::string path, ArrayFileWords words = model_words);

  const nlohmann::json& header() const { return header_; }

  bool has(const std::string& name) const { return arrays_.count(name) > 0; }
  /// Throws InputError when there is no such array or its type or number of dimensions is another.
  template <class T>
  std::vector<T> read(const std::string& name, Shape* shape = nullptr, std::size_t dimensions = 1) const {
    const Array& array = find(name, ArrayWriter::type_name(T{}), dimensions);
    if (shape != nullptr) *shape = array.shape;
    std::vector<T> values(array.bytes.size() / sizeof(T));
    if (!values.empty()) array.bytes.copy(reinterpret_cast<char*>(values.data()), array.bytes.size());
    return values;
  }
  std::vector<std::string> read_text(const std::string& name) const;

  [[noreturn]] void damaged(const std::string& what) const;

 private:
  struct Array {
    std::string type;
    Shape shape;
    std::string_view bytes;
  };
  std::string_view checked_header() const;
  void read_table(std::string_view section);
  const Array& find(const std::string& name, const std::string& type, std::size_t dimensions) const;

  std::string path_;
  ArrayFileWords words_;
  Bytes bytes_;
  nlohmann::json header_;
  std::map<std::string, Array> arrays_;
};

}  // namespace cavity
