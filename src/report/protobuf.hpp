// Messages in the wire format of protocol buffers, written only: a field is a key, number * 8 + type, and what follows.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace cavity {

class ProtobufMessage {
 public:
  ProtobufMessage& number(std::uint32_t field, std::uint64_t value) {
    key(field, 0);
    variable(value);
    return *this;
  }
  /// Text, bytes, or a message in this one.
  ProtobufMessage& bytes(std::uint32_t field, std::string_view value) {
    key(field, 2);
    variable(value.size());
    bytes_ += value;
    return *this;
  }
  ProtobufMessage& message(std::uint32_t field, const ProtobufMessage& value) { return bytes(field, value.bytes_); }

  const std::string& written() const { return bytes_; }

 private:
  void key(std::uint32_t field, std::uint32_t type) { variable(std::uint64_t{field} * 8 + type); }
  void variable(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value % 128 + 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

/// As they lie in memory: little-endian machines only, as everywhere here.
inline std::string bytes_of(const std::vector<double>& values) {
  static_assert(std::endian::native == std::endian::little);
  std::string out(values.size() * sizeof(double), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

}  // namespace cavity
