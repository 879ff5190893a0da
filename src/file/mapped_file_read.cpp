// Where files cannot be mapped they are read, once and whole.
#include "file/mapped_file.hpp"

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

namespace cavity {

MappedFile::MappedFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  const int fault = errno;
  if (file < 0) throw IoError(fmt::format("cannot open {}: {}", path, std::strerror(fault)));
  struct stat status {};
  std::optional<MappedFile> content;
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) content = map(file, static_cast<std::size_t>(status.st_size));
  ::close(file);
  if (!regular) throw IoError(fmt::format("cannot map {}: no regular file", path));
  if (status.st_size > 0 && !content) throw IoError(fmt::format("cannot read {}: {}", path, std::strerror(EIO)));
  if (content) *this = std::move(*content);
}

std::optional<MappedFile> MappedFile::map(int descriptor, std::size_t size) {
  MappedFile out(static_cast<char*>(std::malloc(size)), size);
  if (out.data_ == nullptr) throw std::bad_alloc();
  constexpr std::size_t slice = std::size_t{1} << 24;  // what a browser holds beside: a copy of each slice
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::read(descriptor, out.data_ + filled, std::min(size - filled, slice));
    if (count <= 0) return std::nullopt;
    filled += static_cast<std::size_t>(count);
  }
  return out;
}

MappedFile::~MappedFile() { std::free(data_); }

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::advise_sequential() const {}
void MappedFile::advise_repeated() const {}
void MappedFile::release(const char*, const char*) const {}

bool in_mapped_file(const void*) { return false; }

}  // namespace cavity
