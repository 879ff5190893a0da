// A file that a target writes its input to, for readers that know files alone. In memory, and gone at the end.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace cavity::fuzz {

inline const std::string& own_path() {
  static const std::string path = "/dev/shm/cavity-fuzz-" + std::to_string(::getpid());
  static const int removed_at_end = std::atexit([] { ::unlink(own_path().c_str()); });
  static_cast<void>(removed_at_end);
  return path;
}

inline const std::string& own_file(std::string_view bytes) {
  std::ofstream(own_path(), std::ios::binary | std::ios::trunc) << bytes;
  return own_path();
}

}  // namespace cavity::fuzz
