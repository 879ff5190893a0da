#include "file/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace cavity {

namespace {

void advise(const void* begin, std::size_t bytes, int advice) {
  if (bytes == 0) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin), start = address / page * page;
  ::madvise(reinterpret_cast<void*>(start), address + bytes - start, advice);
}

}  // namespace

void fetch_pages(const void* begin, std::size_t bytes) { advise(begin, bytes, MADV_WILLNEED); }

void map_pages([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_READ  // Linux 5.14
  advise(begin, bytes, MADV_POPULATE_READ);
#endif
}

void release_pages(const void* begin, std::size_t bytes) { advise(begin, bytes, MADV_DONTNEED); }

}  // namespace cavity
