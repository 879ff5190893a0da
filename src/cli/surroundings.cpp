#include "cli/surroundings.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "file/atomic_file.hpp"
#include "file/mapped_file.hpp"

namespace cavity::cli {

namespace {

// The signal is blocked in here, and back to its default: raised again, it ends the process as if nobody had caught it.
extern "C" void end_by(int signal) {
  const int before = errno;
  remove_temporary_files();
  ::raise(signal);
  errno = before;
}

constexpr int io_failed = 5;

[[noreturn]] void end_with(const char* text) {
  remove_temporary_files();
  say_fixed(text);
  ::_exit(io_failed);
}

extern "C" void end_by_fault(int signal, siginfo_t* info, void*) {
  if (in_mapped_file(info->si_addr))
    end_with("cavity: another process has shortened a file while it was read: nothing is written; try again\n");
  ::signal(signal, SIG_DFL);  // the access is tried again, and ends the process
}

[[noreturn]] void end_without_memory() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    end_with(no_memory);
  } catch (...) {
  }
  // Without room for the exception itself there is none.
  void* const room = std::malloc(1024);
  if (room == nullptr && !std::current_exception()) end_with(no_memory);
  std::free(room);
  std::abort();
}

// Before main, and before the libraries make their objects, which want memory, too.
void tell_of_no_memory() { std::set_terminate(end_without_memory); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all)() = tell_of_no_memory;

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

void tell_of_shortened_files() {
  struct sigaction now {};
  now.sa_sigaction = end_by_fault;
  now.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &now, nullptr);
}

void say_fixed(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // there is nobody to tell
}

}  // namespace cavity::cli
