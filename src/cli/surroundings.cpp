#include "cli/surroundings.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace

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
