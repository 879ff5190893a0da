// Advice about the pages of a mapped file that is read piece by piece. Nothing but speed and memory depend on it.
#pragma once

#include <cstddef>

namespace cavity {

/// These bytes will be read soon: start reading them.
void fetch_pages(const void* begin, std::size_t bytes);

/// These bytes are about to be read: map them all at once, rather than by one fault after the other.
void map_pages(const void* begin, std::size_t bytes);

/// Hands the pages that hold these bytes back to the system; they are read from the file again if touched. Never for
/// memory that is not a file's: its content would be lost.
void release_pages(const void* begin, std::size_t bytes);

}  // namespace cavity
