// Labels in a file of their own, one a line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "file/bytes.hpp"
#include "read/labels.hpp"

namespace cavity {

/// Reads `samples` labels, plain or compressed. One line more than samples: the first is a header, which is noted.
/// Blank lines at the end do not count; one in between is a missing label.
LabelTexts read_labels_file(const std::string& path, std::size_t samples, std::vector<std::string>& notes);

/// The same for bytes that are here already; `path` is for messages.
LabelTexts labels_from_bytes(Bytes bytes, const std::string& path, std::size_t samples,
                             std::vector<std::string>& notes);

}  // namespace cavity
