#include <limits>
#include <stdexcept>

#include "file/array_file.hpp"
#include "file/array_layout.hpp"
#include "file/atomic_file.hpp"
#include "file/checksum.hpp"

namespace cavity {

namespace {

/// Writes and sums at the same time, so that a large model is never held twice.
class SummedStream {
 public:
  explicit SummedStream(std::ostream& out) : out_(out) {}
  void put(std::string_view bytes) {
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    sum_.add(bytes);
    written_ += bytes.size();
  }
  void align() {
    static constexpr char zeros[array_alignment] = {};
    put({zeros, aligned(written_) - written_});
  }
  void finish() {
    const std::uint64_t value = sum_.value();
    out_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

 private:
  std::ostream& out_;
  Checksum sum_;
  std::size_t written_ = 0;
};

}  // namespace

void ArrayWriter::add_bytes(const std::string& name, const char* type, Shape shape, std::string_view bytes) {
  entries_.push_back({name, type, std::move(shape), bytes, {}});
}

void ArrayWriter::add_text(const std::string& name, std::span<const std::string> texts) {
  Entry entry{name, "text", {texts.size()}, {}, {}};
  for (const std::string& text : texts) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("a text of more than 4 GB");
    const auto length = static_cast<std::uint32_t>(text.size());
    entry.text.append(reinterpret_cast<const char*>(&length), sizeof length);
    entry.text += text;
  }
  entries_.push_back(std::move(entry));
}

void ArrayWriter::write(const nlohmann::json& header, const std::string& path) const {
  write_file_atomically(path, [&](std::ostream& out) { write(header, out); });
}

void ArrayWriter::write(nlohmann::json header, std::ostream& out) const {
  nlohmann::json table = nlohmann::json::array();
  std::size_t offset = 0;  // from the start of the array section
  const auto content = [](const Entry& e) { return e.type == "text" ? std::string_view(e.text) : e.bytes; };
  for (const Entry& e : entries_) {
    table.push_back(
        {{"name", e.name}, {"type", e.type}, {"shape", e.shape}, {"offset", offset}, {"bytes", content(e).size()}});
    offset = aligned(offset + content(e).size());
  }
  header["arrays"] = std::move(table);
  const std::string json = header.dump();
  FileStart start{};
  model_magic.copy(start.magic, sizeof start.magic);
  start.version = version_;
  start.header_size = json.size();
  start.file_size = aligned(sizeof start + json.size()) + offset + checksum_size;
  SummedStream stream(out);
  stream.put({reinterpret_cast<const char*>(&start), sizeof start});
  stream.put(json);
  stream.align();
  for (const Entry& e : entries_) {
    stream.put(content(e));
    stream.align();
  }
  stream.finish();
}

}  // namespace cavity
