#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cavity {

/// The lines of a text one after the other, and the words of the line at hand: what the formats share that hold a line
/// a sample or a line a value. The text and the path must outlive it.
class WordLines {
 public:
  WordLines(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  /// The next line, whatever it holds; false after the last.
  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  /// Where the next line begins.
  const char* position() const { return rest_.data(); }

  /// Takes the line only up to `mark`, where a comment begins.
  void cut(char mark) { line_ = line_.substr(0, line_.find(mark)); }
  bool blank() const;
  /// The next word of the line; empty at its end.
  std::string_view word();
  /// Says file, line, the column of the last word, and `token` before `what`.
  [[noreturn]] void fail(std::string_view token, const std::string& what) const;

 private:
  std::string_view rest_, line_;
  const std::string& path_;
  std::size_t number_ = 0, column_ = 0, cursor_ = 0;  // column: characters, as in compilers' messages
};

}  // namespace cavity
