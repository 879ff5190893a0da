// The bytes of a file as one contiguous range: a plain file is mapped, a pipe or decompressed data is held in a buffer
// that grows in place (realloc moves pages, not bytes, once it is large), so that nothing is held twice.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cavity::data {

class Bytes {
 public:
  Bytes() = default;
  ~Bytes();
  Bytes(Bytes&& other) noexcept;
  Bytes& operator=(Bytes&& other) noexcept;

  std::string_view view() const { return {data_, size_}; }

  /// Room for `count` more bytes; they count once committed.
  char* room(std::size_t count);
  void commit(std::size_t count) { size_ += count; }

  /// Hands the pages of a mapped file before `end` back to the system (they are read again if touched): what has been
  /// parsed does not count against the process. Does nothing for a buffer.
  void release_before(const char* end) const;

 private:
  friend Bytes map_file(int file, std::size_t size, const std::string& path);
  char* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  bool mapped_ = false;
};

/// Opens and maps `path`, or reads it to its end when it is a pipe or "-". Throws IoError. A file that another process
/// shortens while it is mapped ends this one (SIGBUS).
Bytes read_bytes(const std::string& path);

/// A copy, for bytes that do not come from a file.
Bytes copy_bytes(std::string_view bytes);

/// Three quarters of the memory that this process may use: the machine's, its container's, or what `ulimit` leaves it.
std::size_t memory_limit();

}  // namespace cavity::data
