#include "file/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void fail(const char* action, const std::string& path, int code) {
  throw IoError(fmt::format("cannot {} {}: {}", action, shown_path(path), std::strerror(code)));
}

Bytes read_to_end(int file, const std::string& path) {
  Bytes bytes;
  while (true) {
    const ssize_t count = ::read(file, bytes.room(piece), piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path, errno);
    if (count == 0) return bytes;
    bytes.commit(static_cast<std::size_t>(count));
    if (bytes.view().size() > memory_limit()) {
      throw InputError(
          fmt::format("{}: more than {} bytes, too many for this machine's memory", shown_path(path), memory_limit()));
    }
  }
}

}  // namespace

Bytes::~Bytes() { std::free(data_); }

Bytes::Bytes(Bytes&& other) noexcept { *this = std::move(other); }

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

char* Bytes::room(std::size_t count) {
  if (size_ + count > capacity_) {
    const std::size_t larger = std::max(size_ + count, capacity_ + capacity_ / 2);
    void* moved = std::realloc(data_, larger);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(moved);
    capacity_ = larger;
  }
  return data_ + size_;
}

Bytes read_bytes(const std::string& path) {
  const OpenFile file(path);
  if (file.descriptor() < 0) fail("open", path, errno);
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) fail("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
  // Standard input redirected from a file may stand anywhere in it, and files of /proc say they are empty: both are
  // read.
  if (path == "-" || !S_ISREG(status.st_mode) || status.st_size == 0) return read_to_end(file.descriptor(), path);
  if (auto mapped = MappedFile::map(file.descriptor(), static_cast<std::size_t>(status.st_size)))
    return Bytes(std::move(*mapped));
  return read_to_end(file.descriptor(), path);  // file systems without mmap
}

Bytes copy_bytes(std::string_view bytes) {
  Bytes copy;
  bytes.copy(copy.room(bytes.size()), bytes.size());
  copy.commit(bytes.size());
  return copy;
}

}  // namespace cavity
