// Tables whose column `age`, a covariate, is wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"

namespace cavity::test {

inline Corpus covariates_corpus() {
  using namespace std::string_literals;
  const auto table = [](const std::vector<std::string>& ages) {
    std::string out = "label,a,b,age\n";
    for (std::size_t i = 0; i < 8; ++i)
      out += (i % 2 ? "n,-2." : "t,2.") + std::to_string(i) + "," + std::to_string(i * 7 % 5) + "," +
             ages[i % ages.size()] + "\n";
    return out;
  };
  std::string categories = "label,a,b,age\n";
  for (int i = 0; i < 30; ++i)
    categories += (i % 2 ? "n,-2." : "t,2.") + std::to_string(i) + ",1,c" + std::to_string(i) + "\n";
  return {
      {"not_there.csv", good_table, 2, "no covariate column 'age'"},
      {"the_label.csv", good_table, 2, "two roles", "fit @ --label label --covariates label"},
      {"asked_for_twice.csv", table({"1", "2"}), 2, "two roles", "fit @ --covariates age,age"},
      {"nothing_else.csv", "label,age\nt,1\nn,2\n", 3, "no features"},
      {"infinity.csv", table({"40", "50", "inf"}), 3, "age"},
      {"1e400.csv", table({"40", "50", "1e400"}), 3, "age"},
      {"thirty_categories.csv", categories, 3, "categories"},
      {"unclosed_quote.csv", replaced(table({"40", "50"}), ",0,50\n", ",0,\"50\n"), 3,
       "a quote is opened and never closed"},
      {"text_after_quote.csv", table({"\"4\"0"}), 3, "text after the closing quote"},
      {"nul.csv", table({"4\0"s}), 3, "a NUL byte"},
      {"long_text.csv", table({std::string(100000, 'x'), std::string(100000, 'y')}), 0},
      {"two_of_one_name.csv", replaced(table({"40", "50"}), ",b,age", ",age,age"), 3, "same name"},
      {"svmlight.svm", "1 1:1\n-1 1:2\n", 2, "no named columns"},
      {"numbers.csv", table({"40", "50", "60.5"}), 0},
      {"numbers_some_missing.csv", table({"40", "50", "NA"}), 0},
      {"all_missing.csv", table({"NA"}), 0},
      {"constant.csv", table({"40"}), 0},
      {"texts.csv", table({"young", "old", "\xe2lt"}), 0},
      {"numbers_and_text.csv", table({"40", "old", "60"}), 0},
      {"largest_doubles.csv", table({"1.7e308", "-1.7e308", "1"}), 0},
      {"beyond_2_53.csv", table({"9007199254740993", "9007199254740995", "0"}), 0},
      {"denormals.csv", table({"1e-310", "2e-310", "4e-320"}), 0},
      {"terabyte_of_precision.csv", table({"1e-300", "1e300", "0"}), 0},
  };
}

}  // namespace cavity::test
