// What a file holds, told from its first bytes.
#pragma once

#include <string>
#include <string_view>

namespace cavity {

/// From `svmlight` on it is text.
enum class Content { gzip, zstd, zip, hdf5, utf16, npy, svmlight, matrix_market, table };

/// Throws InputError for formats that are known but not read (Parquet, R objects, ...), with what converts them.
Content detect_content(std::string_view bytes, const std::string& path);

/// Throws InputError with the line of the first NUL byte at or after `from`.
void reject_nul(std::string_view text, std::size_t from, const std::string& path);

}  // namespace cavity
