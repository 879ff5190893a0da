#include "file/zip_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::size_t end_size = 22, entry_size = 46, local_size = 30, longest_comment = 65535;
constexpr unsigned encrypted = 1, stored = 0, deflated = 8;
constexpr std::size_t in_zip64 = 0xFFFFFFFF;

std::size_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// CRC-32 of the reflected polynomial, byte by byte: archives are small beside what is made of them.
std::uint32_t checksum_of(std::string_view bytes) {
  static const auto table = [] {
    std::vector<std::uint32_t> out(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      out[i] = i;
      for (int bit = 0; bit < 8; ++bit) out[i] = (out[i] >> 1) ^ ((out[i] & 1) != 0 ? 0xEDB88320U : 0U);
    }
    return out;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

}  // namespace

void ZipArchive::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: zip archive: {}; copy or save it again", shown_path(path_), what));
}

ZipArchive::ZipArchive(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {
  if (bytes.size() < end_size) fail("it is cut short");
  const std::size_t furthest = bytes.size() - std::min(bytes.size(), end_size + longest_comment);
  std::size_t at = bytes.size() - end_size;
  while (bytes.substr(at, 4) != "PK\x05\x06") {
    if (at == furthest) fail("it has no directory at its end (cut short?)");
    --at;
  }
  if (little_endian(bytes, at + 4, 2) != 0) fail("it is spread over several files");
  const std::size_t directory = little_endian(bytes, at + 16, 4);
  if (directory == in_zip64) fail("it is of more than 4 GB");
  read_directory(directory, little_endian(bytes, at + 10, 2));
}

void ZipArchive::read_directory(std::size_t at, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (at > bytes_.size() || bytes_.size() - at < entry_size || bytes_.substr(at, 4) != "PK\x01\x02")
      fail("its directory is damaged");
    const std::size_t name = little_endian(bytes_, at + 28, 2), extra = little_endian(bytes_, at + 30, 2),
                      comment = little_endian(bytes_, at + 32, 2);
    if (bytes_.size() - at - entry_size < name + extra + comment) fail("its directory is damaged");
    Member member;
    member.flags = static_cast<unsigned>(little_endian(bytes_, at + 8, 2));
    member.method = static_cast<unsigned>(little_endian(bytes_, at + 10, 2));
    member.checksum = static_cast<std::uint32_t>(little_endian(bytes_, at + 16, 4));
    member.compressed = little_endian(bytes_, at + 20, 4);
    member.size = little_endian(bytes_, at + 24, 4);
    member.at = little_endian(bytes_, at + 42, 4);
    member.name = bytes_.substr(at + entry_size, name);
    if (member.compressed == in_zip64 || member.size == in_zip64 || member.at == in_zip64)
      fail(fmt::format("its part {} is of more than 4 GB", shown(member.name)));
    members_.push_back(std::move(member));
    at += entry_size + name + extra + comment;
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> out;
  for (const Member& member : members_) out.push_back(member.name);
  return out;
}

const ZipArchive::Member* ZipArchive::find(std::string_view name) const {
  const auto at = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.name == name; });
  return at == members_.end() ? nullptr : &*at;
}

std::string_view ZipArchive::data_of(const Member& member) const {
  if (member.at > bytes_.size() || bytes_.size() - member.at < local_size ||
      bytes_.substr(member.at, 4) != "PK\x03\x04")
    fail(fmt::format("its part {} is not where the directory says", shown(member.name)));
  const std::size_t begin =
      member.at + local_size + little_endian(bytes_, member.at + 26, 2) + little_endian(bytes_, member.at + 28, 2);
  if (begin > bytes_.size() || bytes_.size() - begin < member.compressed)
    fail(fmt::format("its part {} is cut short", shown(member.name)));
  return bytes_.substr(begin, member.compressed);
}

Bytes ZipArchive::read(std::string_view name, const ExpansionLimits& limits) const {
  const Member* const member = find(name);
  if (member == nullptr) fail(fmt::format("it has no part {}", shown(name)));
  if ((member->flags & encrypted) != 0)
    throw InputError(fmt::format("{}: it is protected by a password; save it without", shown_path(path_)));
  const std::string_view data = data_of(*member);
  Bytes out;
  if (member->method == stored) {
    if (data.size() > limits.total_bytes) fail(fmt::format("its part {} is beyond memory", shown(name)));
    out = copy_bytes(data);
  } else if (member->method == deflated) {
    out = decompress_deflate(data, path_, limits);
  } else {
    fail(fmt::format("its part {} is compressed in a way (method {}) that is not read here", shown(name),
                     member->method));
  }
  if (out.view().size() != member->size || checksum_of(out.view()) != member->checksum)
    fail(fmt::format("its part {} is damaged (wrong length or checksum)", shown(name)));
  return out;
}

}  // namespace cavity
