// One file of the corpus: its bytes, what is done with it, how that must end and what must be said.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cavity::test {

struct CorpusFile {
  std::string name;    // also its file name
  std::string bytes;   // all of it
  int code;            // exit code; 0: odd, but legal
  std::string part{};  // what the message on standard error must hold
  std::string run{};   // arguments, @ being the file; empty: the usual ones of its format
  std::vector<std::pair<std::string, std::string>> beside{};  // names and bytes of files that belong to it
};
using Corpus = std::vector<CorpusFile>;

/// `text` with every `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

inline std::string repeated(const std::string& unit, std::size_t count) {
  std::string out;
  out.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

/// A table that is in order: eight samples, three features, the first of which tells the classes apart.
inline const std::string good_table =
    "label,a,b,c\nt,2.1,0.3,1\nn,-1.9,0.1,2\nt,1.7,-0.4,3\nn,-2.2,0.5,1\nt,2.4,0.2,2\nn,-1.6,-0.3,3\nt,1.8,0.1,2\n"
    "n,-2.0,-0.2,1\n";

}  // namespace cavity::test
