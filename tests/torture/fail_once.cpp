// Loaded before the C library (LD_PRELOAD): counts what a program asks of memory and of the system, and lets one of
// these calls fail.
//   CAVITY_FAIL=KIND:N         the Nth call of a kind fails, counted from 1; KIND+:N: it and all that follow; KIND!:N:
//                              before it the process is killed
//   CAVITY_FAIL_COUNTS=FILE    at the end: how many calls of each kind there were, the blocks that nobody gave back
//                              (left), files that got their name before their bytes were synced (torn), and names whose
//                              folder was not synced (unsynced)
// Kinds: memory, open, read, write, map, sync, rename, close.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

enum Kind { memory, opened, readings, writings, mapped, synced, renamed, closed, kinds };
constexpr const char* names[] = {"memory", "open", "read", "write", "map", "sync", "rename", "close"};

std::atomic<long> calls[kinds], live;
struct Plan {
  bool known = false, lasting = false, kills = false;
  int kind = -1;
  long number = 0;
} plan;

// Before any other code runs, or at the first call of it: neither allocates.
void read_plan() {
  if (plan.known) return;
  plan.known = true;
  const char* text = getenv("CAVITY_FAIL");
  if (!text) return;
  const char* colon = strchr(text, ':');
  if (!colon) return;
  plan.lasting = colon > text && colon[-1] == '+';
  plan.kills = colon > text && colon[-1] == '!';
  const auto length = static_cast<size_t>(colon - text) - (plan.lasting || plan.kills ? 1 : 0);
  for (int kind = 0; kind < kinds; ++kind)
    if (strlen(names[kind]) == length && strncmp(names[kind], text, length) == 0) plan.kind = kind;
  plan.number = atol(colon + 1);
}

bool fails(Kind kind, int error) {
  read_plan();
  const long number = ++calls[kind];
  if (plan.kind != kind || (plan.lasting ? number < plan.number : number != plan.number)) return false;
  if (plan.kills) syscall(SYS_kill, getpid(), SIGKILL);
  errno = error;
  return true;
}

/// Files that were made by this program, by the name they were made with.
struct Made {
  char path[512];
  int file;
  bool dirty;
};
Made made[64];
std::atomic<int> made_count;
std::atomic<long> torn, unsynced;

void remember(const char* path, int flags, int file) {
  if (file < 0 || !(flags & O_CREAT) || strlen(path) >= sizeof made[0].path || made_count >= 64) return;
  Made& one = made[made_count++];
  strcpy(one.path, path);
  one.file = file;
  one.dirty = false;
}
void note(int file, bool dirty) {
  for (int i = 0; i < made_count; ++i)
    if (made[i].file == file) made[i].dirty = dirty;
}
void forget(int file) {
  for (int i = 0; i < made_count; ++i)
    if (made[i].file == file) made[i].file = -1;
}
void note_rename(const char* from) {
  for (int i = 0; i < made_count; ++i)
    if (strcmp(made[i].path, from) == 0 && made[i].dirty) ++torn;
  ++unsynced;
}

void* counted(void* block) {
  if (block) ++live;
  return block;
}

void put(int file, const char* name, long value) {
  char line[64], digits[24];
  size_t length = 0, count = 0;
  for (; *name; ++name) line[length++] = *name;
  line[length++] = ' ';
  do digits[count++] = static_cast<char>('0' + value % 10);
  while ((value /= 10) > 0);
  while (count > 0) line[length++] = digits[--count];
  line[length++] = '\n';
  if (syscall(SYS_write, file, line, length) < 0) return;
}

__attribute__((destructor)) void tell() {
  const char* path = getenv("CAVITY_FAIL_COUNTS");
  if (!path) return;
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  if (file < 0) return;
  for (int kind = 0; kind < kinds; ++kind) put(file, names[kind], calls[kind]);
  put(file, "torn", torn);
  put(file, "unsynced", unsynced);
  put(file, "left", live > 0 ? live.load() : 0);
  syscall(SYS_close, file);
}

}  // namespace

extern "C" {

void* malloc(size_t size) { return fails(memory, ENOMEM) ? nullptr : counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) {
  return fails(memory, ENOMEM) ? nullptr : counted(__libc_calloc(count, size));
}
void* memalign(size_t to, size_t size) { return fails(memory, ENOMEM) ? nullptr : counted(__libc_memalign(to, size)); }
void* aligned_alloc(size_t to, size_t size) { return memalign(to, size); }
int posix_memalign(void** out, size_t to, size_t size) {
  void* block = memalign(to, size);
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}
void* realloc(void* block, size_t size) {
  if (fails(memory, ENOMEM)) return nullptr;
  return block ? __libc_realloc(block, size) : counted(__libc_realloc(nullptr, size));
}
void free(void* block) {
  if (block) --live;
  __libc_free(block);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  if (fails(opened, EMFILE)) return -1;
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  remember(path, flags, file);
  return file;
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  return open(path, flags, mode);
}
ssize_t read(int file, void* to, size_t count) {
  return fails(readings, EIO) ? -1 : syscall(SYS_read, file, to, count);
}
ssize_t write(int file, const void* from, size_t count) {
  if (fails(writings, ENOSPC)) return -1;
  note(file, true);
  return syscall(SYS_write, file, from, count);
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(mapped, ENOMEM)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, file, offset));
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}
int fsync(int file) {
  if (fails(synced, EIO)) return -1;
  note(file, false);
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) unsynced = 0;
  return static_cast<int>(syscall(SYS_fsync, file));
}
int rename(const char* from, const char* to) {
  if (fails(renamed, EIO)) return -1;
  note_rename(from);
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int close(int file) {
  forget(file);
  const auto status = static_cast<int>(syscall(SYS_close, file));
  return fails(closed, EIO) ? -1 : status;
}

}  // extern "C"
