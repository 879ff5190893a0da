// Elements and text of XML, one after the other: as much of it as spreadsheets need. No document types, so nothing can
// expand; names come without their prefix.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cavity {

class XmlTokens {
 public:
  enum class Kind { open, close, text };

  /// `what` and `path` are for messages.
  XmlTokens(std::string_view xml, std::string what, const std::string& path)
      : xml_(xml), what_(std::move(what)), path_(path) {}

  /// False at the end. An element that closes itself is open, then close. InputError for what is no XML.
  bool next();

  Kind kind() const { return kind_; }
  std::string_view name() const { return name_; }  // of an element
  bool opens(std::string_view name) const { return kind_ == Kind::open && name_ == name; }
  bool closes(std::string_view name) const { return kind_ == Kind::close && name_ == name; }
  /// Of an element that opens: the value, entities replaced; empty where there is none.
  std::string attribute(std::string_view name) const;
  /// Text with entities replaced, appended.
  void append_text(std::string& out) const;

 private:
  void read_tag();
  std::string_view take_until(std::string_view end, const char* of);
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view xml_;
  std::size_t at_ = 0;
  std::string what_;
  const std::string& path_;
  Kind kind_ = Kind::text;
  std::string_view name_, attributes_, text_;
  bool closes_itself_ = false, literal_ = false;
};

}  // namespace cavity
