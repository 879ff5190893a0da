#include "file/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "cavity/errors.hpp"

namespace cavity {

namespace {

[[noreturn]] void fail(const char* action, const std::string& path, int code) {
  throw IoError(fmt::format("cannot {} {}: {}", action, path, std::strerror(code)));
}

// What is mapped, for a signal handler. A place is free while its begin is 0, and told once its end is there.
struct Place {
  std::atomic<std::uintptr_t> begin = 0, end = 0;
};
std::array<Place, 16> places;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

void remember(const char* data, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (Place& place : places) {
    std::uintptr_t unused = 0;
    if (!place.begin.compare_exchange_strong(unused, begin)) continue;
    place.end = begin + size;
    return;
  }
}

void forget(const char* data) {
  for (Place& place : places) {
    if (place.begin != reinterpret_cast<std::uintptr_t>(data)) continue;
    place.end = 0;
    place.begin = 0;
  }
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const OpenFile file(path);
  if (file.descriptor() < 0) fail("open", path, errno);
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) fail("read", path, errno);
  if (!S_ISREG(status.st_mode)) fail("map", path, S_ISDIR(status.st_mode) ? EISDIR : ENODEV);
  if (status.st_size == 0) return;
  auto mapped = map(file.descriptor(), static_cast<std::size_t>(status.st_size));
  if (!mapped) fail("map", path, errno);
  *this = std::move(*mapped);
}

std::optional<MappedFile> MappedFile::map(int descriptor, std::size_t size) {
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) return std::nullopt;
  MappedFile file(static_cast<char*>(address), size);
  remember(file.data_, size);
  file.advise_sequential();
  return file;
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget(data_);
  ::munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

// Advice may be declined: nothing but speed depends on it.
void MappedFile::advise_sequential() const {
  if (data_ != nullptr) ::madvise(data_, size_, MADV_SEQUENTIAL);
}

void MappedFile::advise_repeated() const {
  if (data_ != nullptr) ::madvise(data_, size_, MADV_NORMAL);
}

void MappedFile::release(const char* begin, const char* end) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first = (static_cast<std::size_t>(begin - data_) + page - 1) / page * page;
  const std::size_t last = static_cast<std::size_t>(end - data_) / page * page;
  if (first < last) ::madvise(data_ + first, last - first, MADV_DONTNEED);
}

// The last page reaches beyond the end of the file.
bool in_mapped_file(const void* address) {
  constexpr std::uintptr_t page = 65536;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Place& place : places)
    if (place.end != 0 && at >= place.begin && at < place.end + page) return true;
  return false;
}

}  // namespace cavity
