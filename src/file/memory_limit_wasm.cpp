#include <emscripten/heap.h>

#include "file/bytes.hpp"

namespace cavity {

// What a browser lets one page have of it is not known before it is asked for.
std::size_t memory_limit() { return emscripten_get_heap_max() / 4 * 3; }

}  // namespace cavity
