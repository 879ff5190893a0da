#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "file/bytes.hpp"

namespace cavity {

std::size_t memory_limit() {
  std::size_t bytes =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t container = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> container) bytes = std::min(bytes, container);
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_RSS}) {
    struct rlimit limit {};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<std::size_t>(limit.rlim_cur));
  }
  return bytes / 4 * 3;
}

}  // namespace cavity
