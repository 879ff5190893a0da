// Members of a zip archive (APPNOTE 6.3): stored or deflated, found by the central directory. Spreadsheets (.xlsx) and
// NumPy's .npz are such archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "file/bytes.hpp"
#include "file/decompress.hpp"

namespace cavity {

class ZipArchive {
 public:
  /// `bytes` must outlive it; `path` is for messages. InputError for an archive that is cut short, encrypted, spread
  /// over several files or of more than 4 GB.
  ZipArchive(std::string_view bytes, std::string path);

  std::vector<std::string> names() const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// The bytes of a member. InputError when there is none of this name, when it is compressed otherwise, corrupt, or
  /// expands past the limits.
  Bytes read(std::string_view name, const ExpansionLimits& limits = {}) const;

 private:
  struct Member {
    std::string name;
    std::size_t at = 0, compressed = 0, size = 0;  // of its local header
    std::uint32_t checksum = 0;
    unsigned method = 0, flags = 0;
  };
  void read_directory(std::size_t at, std::size_t count);
  const Member* find(std::string_view name) const;
  std::string_view data_of(const Member& member) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view bytes_;
  std::string path_;
  std::vector<Member> members_;
};

}  // namespace cavity
