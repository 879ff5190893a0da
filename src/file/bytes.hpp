// The bytes of a file as one contiguous range: a plain file is mapped, a pipe or decompressed data is held in a buffer
// that grows in place (realloc moves pages, not bytes, once it is large), so that nothing is held twice.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "file/mapped_file.hpp"

namespace cavity {

class Bytes {
 public:
  Bytes() = default;
  ~Bytes();
  Bytes(Bytes&& other) noexcept;
  Bytes& operator=(Bytes&& other) noexcept;

  explicit Bytes(MappedFile file) : file_(std::move(file)) {}

  std::string_view view() const { return file_ ? file_->bytes() : std::string_view(data_, size_); }

  /// Room for `count` more bytes; they count once committed.
  char* room(std::size_t count);
  void commit(std::size_t count) { size_ += count; }

  /// They will be read more than once.
  void keep() const {
    if (file_) file_->advise_repeated();
  }

  /// Of a mapped file (MappedFile::release); a buffer stays.
  void release(const char* begin, const char* end) const {
    if (file_) file_->release(begin, end);
  }
  void release_before(const char* end) const { release(view().data(), end); }

 private:
  std::optional<MappedFile> file_;
  char* data_ = nullptr;  // the buffer, where there is no mapped file
  std::size_t size_ = 0, capacity_ = 0;
};

/// Opens and maps `path`, or reads it to its end when it is a pipe or "-". Throws IoError. A file that another process
/// shortens while it is mapped ends this one (mapped_file.hpp).
Bytes read_bytes(const std::string& path);

/// A copy, for bytes that do not come from a file.
Bytes copy_bytes(std::string_view bytes);

/// Three quarters of the memory that this process may use: the machine's, its container's, or what `ulimit` leaves it.
std::size_t memory_limit();

}  // namespace cavity
