// What decompressing has in common, whichever library does it. For the sources of decompress.hpp alone.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/decompress.hpp"
#include "file/messages.hpp"

namespace cavity {

/// Bytes expanded at a time: small files get by with little.
inline std::size_t piece_size(std::string_view compressed) {
  return std::clamp(8 * compressed.size(), std::size_t{1} << 14, std::size_t{1} << 20);
}

/// Collects the pieces and refuses as early as can be.
class Expansion {
 public:
  Expansion(const std::string& path, const ExpansionLimits& limits) : path_(path), limits_(limits) {}

  char* room(std::size_t piece) { return bytes_.room(piece); }

  /// `consumed`: compressed bytes used so far, so that the ratio shows before the rest is expanded.
  void commit(std::size_t count, std::size_t consumed) {
    const std::size_t from = bytes_.view().size();
    bytes_.commit(count);
    if (count == 0) return;
    if (from == 0) text_ = detect_content(bytes_.view(), path_) >= Content::svmlight;
    if (text_) reject_nul(bytes_.view(), from, path_);
    const std::size_t size = bytes_.view().size();
    const bool suspicious = size > limits_.free_bytes && size / limits_.ratio > consumed;
    if (suspicious || size > limits_.total_bytes) {
      throw InputError(
          fmt::format("{}: {} compressed bytes expand to {}{}; if the file is genuine, "
                      "decompress it first and read the plain file",
                      shown_path(path_), consumed, size,
                      suspicious ? fmt::format(" (over {}-fold)", limits_.ratio) : " (memory limit)"));
    }
  }

  Bytes take() { return std::move(bytes_); }

 private:
  const std::string& path_;
  ExpansionLimits limits_;
  Bytes bytes_;
  bool text_ = true;
};

[[noreturn]] inline void truncated(const char* kind, const std::string& path) {
  throw InputError(fmt::format("{}: the {} data ends too early (truncated file); copy or download it again",
                               shown_path(path), kind));
}

[[noreturn]] inline void corrupt(const char* kind, const std::string& path, const char* reason) {
  throw InputError(fmt::format("{}: corrupt {} data ({}); copy or download it again", shown_path(path), kind,
                               reason != nullptr ? reason : "unreadable"));
}

/// After the end of a member: another member, or zeros (tape padding), or nothing.
inline bool starts_member(std::string_view rest, const std::string& path) {
  if (rest.find_first_not_of('\0') == std::string_view::npos) return false;
  if (!rest.starts_with("\x1f\x8b")) corrupt("gzip", path, "other bytes after its end");
  return true;
}

}  // namespace cavity
