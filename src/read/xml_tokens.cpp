#include "read/xml_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += {static_cast<char>(0xC0 | c >> 6), tail(0)};
  } else if (c < 0x10000) {
    out += {static_cast<char>(0xE0 | c >> 12), tail(6), tail(0)};
  } else {
    out += {static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
  }
}

/// Of &name; without & and ;. False where it is none that XML itself knows.
bool append_entity(std::string_view name, std::string& out) {
  constexpr std::pair<std::string_view, char> known[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [entity, character] : known)
    if (name == entity) {
      out += character;
      return true;
    }
  if (!name.starts_with('#')) return false;
  const bool hexadecimal = name.starts_with("#x");
  name.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t c = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), c, hexadecimal ? 16 : 10);
  const bool character = c > 0 && c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
  if (error != std::errc{} || rest != name.data() + name.size() || !character) return false;
  append_utf8(c, out);
  return true;
}

void append_plain(std::string_view text, std::string& out) {
  constexpr std::size_t longest = 10;  // of an entity
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find('&'), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) return;
    const std::size_t end = text.substr(0, longest).find(';');
    if (end != std::string_view::npos && append_entity(text.substr(1, end - 1), out)) {
      text.remove_prefix(end + 1);
    } else {
      out += '&';
      text.remove_prefix(1);
    }
  }
}

}  // namespace

void XmlTokens::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: {} is damaged: {}; save it again", shown_path(path_), what_, what));
}

std::string_view XmlTokens::take_until(std::string_view end, const char* of) {
  const std::size_t found = xml_.find(end, at_);
  if (found == std::string_view::npos) fail(fmt::format("{} without an end", of));
  const std::string_view out = xml_.substr(at_, found - at_);
  at_ = found + end.size();
  return out;
}

bool XmlTokens::next() {
  if (closes_itself_) {
    closes_itself_ = false;
    kind_ = Kind::close;
    return true;
  }
  while (at_ < xml_.size()) {
    const std::string_view rest = xml_.substr(at_);
    literal_ = false;
    if (rest[0] != '<') {
      kind_ = Kind::text;
      const std::size_t end = std::min(rest.find('<'), rest.size());
      text_ = rest.substr(0, end);
      at_ += end;
      return true;
    }
    if (rest.starts_with("<?")) {
      take_until("?>", "a declaration");
    } else if (rest.starts_with("<!--")) {
      at_ += 4;
      take_until("-->", "a comment");
    } else if (rest.starts_with("<![CDATA[")) {
      at_ += 9;
      text_ = take_until("]]>", "text");
      kind_ = Kind::text;
      literal_ = true;
      return true;
    } else if (rest.starts_with("<!")) {
      fail("a document type");
    } else {
      read_tag();
      return true;
    }
  }
  return false;
}

/// The end of a tag is the first > outside quotes.
void XmlTokens::read_tag() {
  const std::size_t begin = at_ + 1;
  std::size_t end = begin;
  for (char quote = 0; end < xml_.size() && (quote != 0 || xml_[end] != '>'); ++end) {
    const char c = xml_[end];
    if (quote == c)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote == 0 && c == '<')
      fail("an element without an end");
  }
  if (end >= xml_.size()) fail("an element without an end");
  std::string_view tag = xml_.substr(begin, end - begin);
  at_ = end + 1;
  kind_ = tag.starts_with('/') ? Kind::close : Kind::open;
  if (kind_ == Kind::close) tag.remove_prefix(1);
  closes_itself_ = kind_ == Kind::open && tag.ends_with('/');
  if (closes_itself_) tag.remove_suffix(1);
  const std::size_t length = std::min(tag.find_first_of(blanks), tag.size());
  if (length == 0) fail("an element without a name");
  name_ = without_prefix(tag.substr(0, length));
  attributes_ = tag.substr(length);
}

std::string XmlTokens::attribute(std::string_view name) const {
  std::string_view rest = attributes_;
  while (true) {
    const std::size_t begin = rest.find_first_not_of(blanks);
    const std::size_t equals = rest.find('=');
    if (begin == std::string_view::npos || equals == std::string_view::npos || begin > equals) return "";
    std::string_view found = rest.substr(begin, equals - begin);
    found = without_prefix(found.substr(0, found.find_last_not_of(blanks) + 1));
    const std::size_t open = rest.find_first_not_of(blanks, equals + 1);
    if (open == std::string_view::npos || (rest[open] != '"' && rest[open] != '\'')) return "";
    const std::size_t close = rest.find(rest[open], open + 1);
    if (close == std::string_view::npos) return "";
    if (found == name) {
      std::string out;
      append_plain(rest.substr(open + 1, close - open - 1), out);
      return out;
    }
    rest.remove_prefix(close + 1);
  }
}

void XmlTokens::append_text(std::string& out) const {
  if (literal_)
    out += text_;
  else
    append_plain(text_, out);
}

}  // namespace cavity
