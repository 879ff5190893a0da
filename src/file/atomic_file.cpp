#include "file/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <streambuf>

namespace cavity {

namespace {

[[noreturn]] void fail(const std::string& path, int code) {
  if (path == "-" && code == EPIPE) throw ClosedPipe();
  throw IoError(fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path, std::strerror(code)));
}

/// Keeps the reason of the first failed write, which std::ofstream would lose.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int file) : file_(file) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  int sync() override {
    const char* from = pbase();
    while (error_ == 0 && from != pptr()) {
      const ssize_t written = ::write(file_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0) {
        from += written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int file_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_;
};

void write_all(int file, const std::string& path, const std::function<void(std::ostream&)>& write) {
  const auto buffer = std::make_unique<DescriptorBuffer>(file);
  std::ostream stream(buffer.get());
  write(stream);
  stream.flush();
  if (buffer->error() != 0) fail(path, buffer->error());
  if (!stream) fail(path, EIO);
}

class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return file_; }
  int close() {
    const int status = file_ >= 0 ? ::close(file_) : 0;
    file_ = -1;
    return status;
  }

 private:
  int file_;
};

// Names of the files that are being written, for a signal handler, which may neither lock nor allocate. A file beyond
// the last place is removed by its destructor alone.
struct Place {
  std::atomic<bool> taken = false, told = false;  // told: the name stands there
  std::array<char, PATH_MAX> name{};
};
std::array<Place, 8> places;
static_assert(std::atomic<bool>::is_always_lock_free);

Place* tell_handlers(const std::string& name) {
  if (name.size() >= PATH_MAX) return nullptr;
  for (Place& place : places) {
    if (place.taken.exchange(true)) continue;
    std::copy_n(name.c_str(), name.size() + 1, place.name.begin());
    place.told = true;
    return &place;
  }
  return nullptr;
}

/// A file beside `target`, removed unless it becomes the real one.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target);
  ~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
    forget();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  int descriptor() const { return descriptor_; }
  int rename_to(const std::string& path) {
    if (::rename(name_.c_str(), path.c_str()) != 0) return errno;
    name_.clear();
    forget();
    return 0;
  }

 private:
  void forget() {
    if (place_ == nullptr) return;
    place_->told = false;
    place_->taken = false;
    place_ = nullptr;
  }

  std::string name_;
  Place* place_ = nullptr;
  int descriptor_ = -1;
};

std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Beside `target`, so that a rename suffices; a name that is nearly as long as names may be is cut.
std::string temporary_name(const std::string& target, int attempt) {
  constexpr std::size_t longest = 200;
  const std::size_t slash = target.rfind('/'), base = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}.{}-{}.tmp", target.substr(0, base + std::min(longest, target.size() - base)), ::getpid(),
                     attempt);
}

/// With the mode that the umask gives. Handlers know the name before the file is there, and nothing can fail after.
TemporaryFile::TemporaryFile(const std::string& target) {
  for (int attempt = 0; true; ++attempt) {
    name_ = temporary_name(target, attempt);
    place_ = tell_handlers(name_);
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    name_.clear();
    forget();
    if (errno != EEXIST) return;
  }
}

/// The rename itself must reach the disk; where directories cannot be synced there is nothing more to do.
void sync_directory(const std::string& path) {
  const OpenFile file(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.descriptor() >= 0) ::fsync(file.descriptor());
}

}  // namespace

void write_file_atomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") return write_all(STDOUT_FILENO, path, write);
  const std::string target = behind_links(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    OpenFile file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));  // a directory fails here, with its reason
    if (file.descriptor() < 0) fail(path, errno);
    return write_all(file.descriptor(), path, write);
  }
  TemporaryFile temporary(target);
  OpenFile file(temporary.descriptor());
  if (file.descriptor() < 0) fail(path, errno);
  write_all(file.descriptor(), path, write);
  if (exists) ::fchmod(file.descriptor(), status.st_mode & 07777);  // best effort: the data matters more
  if (::fsync(file.descriptor()) != 0) fail(path, errno);
  if (file.close() != 0) fail(path, errno);
  if (const int error = temporary.rename_to(target); error != 0) fail(path, error);
  sync_directory(target);
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  const std::string target = behind_links(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(path, errno);  // a name that is too long, a folder that is a file
  if (exists && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  const bool replaced = !exists || S_ISREG(status.st_mode);
  if (::access((replaced ? directory_of(target) : target).c_str(), replaced ? W_OK | X_OK : W_OK) != 0)
    fail(path, errno);
}

void remove_temporary_files() {
  for (const Place& place : places)
    if (place.told) ::unlink(place.name.data());
}

}  // namespace cavity
