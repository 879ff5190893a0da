// A regular file as bytes in memory. Pages are read when they are touched and shared with everybody who maps the same
// file, so that a matrix stored as it is used costs no copy. The trade: whoever shortens the file while it is mapped
// ends this process (SIGBUS, of which the command line makes a sentence), and whoever writes into it changes what is
// read here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cavity {

class MappedFile {
 public:
  /// Throws IoError where `path` cannot be opened or mapped, or is no regular file.
  explicit MappedFile(const std::string& path);
  /// The first `size` > 0 bytes of an open file; nothing where its file system has no mmap. The descriptor stays the
  /// caller's, and may be closed.
  static std::optional<MappedFile> map(int descriptor, std::size_t size);

  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::string_view bytes() const { return {data_, size_}; }
  std::size_t size() const { return size_; }

  /// It will be read once from front to back: read ahead far, keep little. That is the state it starts in.
  void advise_sequential() const;
  /// It will be read more than once: keep it.
  void advise_repeated() const;
  /// Hands whole pages of [begin, end), a part of the bytes, back to the system (they are read again if touched): what
  /// has been parsed does not count against the process.
  void release(const char* begin, const char* end) const;

 private:
  MappedFile(char* data, std::size_t size) : data_(data), size_(size) {}
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// For a handler of SIGBUS: whether a file is mapped where the fault was. Neither locks nor allocates; of very many
/// files it knows the first sixteen.
bool in_mapped_file(const void* address);

}  // namespace cavity
