// gzip, deflate and zstd, decompressed piece by piece into a growing buffer. A bomb costs little memory: text is
// checked for NUL bytes as it comes, and the size is bounded by the limits below before the next piece is decompressed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "file/bytes.hpp"

namespace cavity {

struct ExpansionLimits {
  std::size_t free_bytes = std::size_t{32} << 20;  // up to here any ratio is fine
  std::size_t ratio = 500;                         // real tables stay far below
  std::size_t total_bytes = memory_limit();
};

/// Throws InputError when the data is truncated, corrupt, or expands past the limits. Concatenated members (frames) are
/// one file, as gzip and zstd themselves have it.
Bytes decompress_gzip(std::string_view compressed, const std::string& path, const ExpansionLimits& limits = {});
/// One raw stream (RFC 1951), as zip archives hold it.
Bytes decompress_deflate(std::string_view compressed, const std::string& path, const ExpansionLimits& limits = {});
Bytes decompress_zstd(std::string_view compressed, const std::string& path, const ExpansionLimits& limits = {});

}  // namespace cavity
