#include "cli/surroundings.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "file/atomic_file.hpp"

namespace cavity::cli {

namespace {

// The signal is blocked in here, and back to its default: raised again, it ends the process as if nobody had caught it.
extern "C" void end_by(int signal) {
  const int before = errno;
  remove_temporary_files();
  ::raise(signal);
  errno = before;
}

constexpr std::size_t stack_wanted = std::size_t{1} << 20, page = 4096;

[[gnu::noinline]] void touch_stack() {
  volatile char room[stack_wanted];
  for (std::size_t at = stack_wanted; at >= page; at -= page) room[at - page] = 0;  // from the top, as it grows
  static_cast<void>(room[0]);
}

}  // namespace

bool reserve_stack() {
  void* const room = ::mmap(nullptr, 2 * stack_wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, 2 * stack_wanted);
  touch_stack();
  return true;
}

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // In the wrong direction, so that its use is an error. The lowest free number is this stream's.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    if (::open("/dev/null", mode) < 0) return;
  }
}

void leave_no_temporary_files() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now.sa_handler = end_by;
    now.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &now, nullptr);
  }
}

}  // namespace cavity::cli
