#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "file/array_file.hpp"
#include "file/array_layout.hpp"
#include "file/checksum.hpp"
#include "file/json_depth.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

std::size_t item_size(const std::string& type) {
  return type == "f64" ? 8 : type == "f32" || type == "u32" ? 4 : type == "i8" ? 1 : 0;
}

/// Bytes that an array of this shape takes; SIZE_MAX when it is larger than anything.
std::size_t bytes_of(const Shape& shape, std::size_t item) {
  std::size_t size = item;
  for (const std::uint64_t extent : shape) {
    if (extent > 0 && size > SIZE_MAX / extent) return SIZE_MAX;
    size *= extent;
  }
  return size;
}

/// Refuses negative and fractional numbers, which nlohmann-json would convert.
std::uint64_t count_of(const nlohmann::json& value) {
  return value.get_ref<const nlohmann::json::number_unsigned_t&>();
}

FileStart read_start(std::string_view bytes) {
  FileStart start{};
  std::memcpy(&start, bytes.data(), sizeof start);
  return start;
}

}  // namespace

void ArrayReader::damaged(const std::string& what) const {
  throw InputError(fmt::format("{}: the {} is damaged: {}; {}", shown_path(path_), words_.kind, what, words_.cure));
}

/// The JSON text, once the file as a whole has been found sound.
std::string_view ArrayReader::checked_header() const {
  const std::string_view file = bytes_.view();
  if (file.substr(0, model_magic.size()) != model_magic.substr(0, std::min(file.size(), model_magic.size())) ||
      file.empty()) {
    throw InputError(fmt::format("{}: not {}", shown_path(path_), words_.one));
  }
  if (file.size() < sizeof(FileStart) + checksum_size) damaged(fmt::format("it is cut short, {} bytes", file.size()));
  const FileStart start = read_start(file);
  if (start.version > model_version) {
    throw InputError(
        fmt::format("{}: a model of format {}, written by a newer cavity; this one reads formats up to {}; "
                    "update cavity, or fit again with this one",
                    shown_path(path_), start.version, model_version));
  }
  if (start.version == 0 || start.reserved != 0) damaged("its first bytes make no sense");
  if (start.file_size > file.size())
    damaged(fmt::format("it is cut short, {} of {} bytes", file.size(), start.file_size));
  if (start.file_size < file.size()) damaged(fmt::format("{} bytes follow its end", file.size() - start.file_size));
  if (start.header_size > file.size() - sizeof start - checksum_size) damaged("its header is longer than the file");
  if (start.header_size > longest_header) damaged(fmt::format("its header has {} bytes", start.header_size));
  std::uint64_t stored = 0;
  std::memcpy(&stored, file.data() + file.size() - checksum_size, sizeof stored);
  if (checksum(file.substr(0, file.size() - checksum_size)) != stored)
    damaged("its checksum does not match its content");
  return file.substr(sizeof start, start.header_size);
}

/// Arrays follow each other without overlap, so that all of them together are no larger than the file.
void ArrayReader::read_table(std::string_view section) {
  std::size_t expected = 0;
  for (const auto& row : header_.at("arrays")) {
    const auto name = row.at("name").get<std::string>();
    Array array{row.at("type").get<std::string>(), {}, {}};
    for (const auto& extent : row.at("shape")) array.shape.push_back(count_of(extent));
    const std::uint64_t offset = count_of(row.at("offset")), size = count_of(row.at("bytes"));
    if (offset != expected || offset > section.size() || size > section.size() - offset)
      damaged(fmt::format("array {} is out of place", shown(name)));
    const std::size_t item = item_size(array.type);
    const bool fits = array.type == "text" ? array.shape.size() == 1 && array.shape[0] <= size / sizeof(std::uint32_t)
                                           : item > 0 && bytes_of(array.shape, item) == size;
    if (!fits) damaged(fmt::format("array {} has a size that does not match its shape", shown(name)));
    array.bytes = section.substr(offset, size);
    expected = aligned(offset + size);
    if (!arrays_.emplace(name, std::move(array)).second) damaged(fmt::format("array {} is there twice", shown(name)));
  }
}

ArrayReader::ArrayReader(Bytes bytes, std::string path, ArrayFileWords words)
    : path_(std::move(path)), words_(std::move(words)), bytes_(std::move(bytes)) {
  const std::string_view json = checked_header();
  if (json_too_deep(json)) damaged("its header is not what a model has");
  try {
    header_ = nlohmann::json::parse(json);
    const std::size_t first = std::min(aligned(sizeof(FileStart) + json.size()), bytes_.view().size() - checksum_size);
    read_table(bytes_.view().substr(first, bytes_.view().size() - checksum_size - first));
  } catch (const nlohmann::json::exception&) {
    damaged("its header is not what a model has");
  }
}

const ArrayReader::Array& ArrayReader::find(const std::string& name, const std::string& type,
                                            std::size_t dimensions) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) damaged(fmt::format("array {} is not there", shown(name)));
  if (found->second.type != type || found->second.shape.size() != dimensions) {
    damaged(fmt::format("array {} is {} with {} dimensions instead of {} with {}", shown(name), found->second.type,
                        found->second.shape.size(), type, dimensions));
  }
  return found->second;
}

std::vector<std::string> ArrayReader::read_text(const std::string& name) const {
  const Array& array = find(name, "text", 1);
  std::string_view rest = array.bytes;
  std::vector<std::string> texts;
  texts.reserve(array.shape[0]);
  for (std::uint64_t i = 0; i < array.shape[0]; ++i) {
    std::uint32_t length = 0;
    if (rest.size() >= sizeof length) std::memcpy(&length, rest.data(), sizeof length);
    if (rest.size() < sizeof length || length > rest.size() - sizeof length)
      damaged(fmt::format("array {} ends inside a text", shown(name)));
    texts.emplace_back(rest.substr(sizeof length, length));
    rest.remove_prefix(sizeof length + length);
  }
  if (!rest.empty()) damaged(fmt::format("array {} has bytes after its last text", shown(name)));
  return texts;
}

}  // namespace cavity
