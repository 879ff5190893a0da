#include "read/word_lines.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cavity/errors.hpp"

namespace cavity {
namespace {

TEST(WordLines, WalksLinesAndWordsAndCountsThem) {
  const std::string path = "words.txt";
  const std::string text = "one  two\t\r\n \t\n#note\nthree # four\nlast";
  WordLines lines(text, path);
  std::vector<std::vector<std::string>> words;
  std::vector<bool> blank;
  while (lines.next()) {
    lines.cut('#');
    blank.push_back(lines.blank());
    words.emplace_back();
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) words.back().emplace_back(word);
  }
  EXPECT_EQ(words, (std::vector<std::vector<std::string>>{{"one", "two"}, {}, {}, {"three"}, {"last"}}));
  EXPECT_EQ(blank, (std::vector<bool>{false, true, true, false, false}));
  EXPECT_EQ(lines.number(), 5U);
  EXPECT_EQ(lines.position(), text.data() + text.size());
}

TEST(WordLines, SaysWhereAWordStands) {
  const std::string path = "words.txt";
  WordLines lines("\n  one  two", path);
  lines.next();
  lines.next();
  lines.word();
  const std::string_view word = lines.word();
  try {
    lines.fail(word, "is wrong");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "words.txt, line 2, column 8: 'two' is wrong");
  }
}

}  // namespace
}  // namespace cavity
