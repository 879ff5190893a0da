// Zip archives and workbooks for tests.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

namespace cavity::test {

inline std::string little_endian(std::size_t value, int size) {
  std::string out;
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

inline std::string deflated(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

using ZipParts = std::vector<std::pair<std::string, std::string>>;  // name, bytes

inline std::string zip(const ZipParts& parts, bool compress = true) {
  std::string out, directory;
  for (const auto& [name, bytes] : parts) {
    const std::string data = compress ? deflated(bytes) : bytes;
    const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string common = little_endian(20, 2) + little_endian(0, 2) + little_endian(compress ? 8 : 0, 2) +
                               little_endian(0, 4) + little_endian(crc, 4) + little_endian(data.size(), 4) +
                               little_endian(bytes.size(), 4) + little_endian(name.size(), 2) + little_endian(0, 2);
    directory += "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 2) + little_endian(0, 2) +
                 little_endian(0, 2) + little_endian(0, 4) + little_endian(out.size(), 4) + name;
    out += "PK\x03\x04" + common + name + data;
  }
  const std::size_t at = out.size();
  return out + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(parts.size(), 2) +
         little_endian(parts.size(), 2) + little_endian(directory.size(), 4) + little_endian(at, 4) +
         little_endian(0, 2);
}

/// Of an <sst>; `shared` becomes its texts.
inline std::string sheet_xml(const std::string& rows) {
  return "<?xml version=\"1.0\"?>\n<worksheet xmlns=\"m\"><sheetData>" + rows + "</sheetData></worksheet>";
}

inline ZipParts workbook(const std::vector<std::pair<std::string, std::string>>& sheets, const std::string& texts = "",
                         const std::string& styles = "") {
  std::string names, links;
  ZipParts out;
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    names += fmt::format("<sheet name=\"{}\" sheetId=\"{}\" r:id=\"rId{}\"/>", sheets[k].first, k + 1, k + 7);
    links += fmt::format("<Relationship Id=\"rId{}\" Type=\"w\" Target=\"worksheets/s{}.xml\"/>", k + 7, k + 1);
  }
  out.emplace_back("[Content_Types].xml", "<Types/>");
  out.emplace_back("xl/workbook.xml", "<workbook><sheets>" + names + "</sheets></workbook>");
  out.emplace_back("xl/_rels/workbook.xml.rels", "<Relationships>" + links + "</Relationships>");
  for (std::size_t k = 0; k < sheets.size(); ++k)
    out.emplace_back(fmt::format("xl/worksheets/s{}.xml", k + 1), sheet_xml(sheets[k].second));
  if (!texts.empty()) out.emplace_back("xl/sharedStrings.xml", "<sst>" + texts + "</sst>");
  if (!styles.empty()) out.emplace_back("xl/styles.xml", "<styleSheet>" + styles + "</styleSheet>");
  return out;
}

/// "BC" of 54: columns count from 0.
inline std::string column_letters(std::size_t column) {
  std::string out;
  for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
    out.insert(out.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return out;
}

}  // namespace cavity::test
