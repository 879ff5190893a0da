// Seeds of what runs are resumed from, and of command lines: for the fuzzers alone. What must become of such files is
// tested where they are written.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/resumed_files.hpp"

namespace cavity::test {

struct FuzzSeeds {
  const char* name;
  Corpus files;
};

inline std::vector<FuzzSeeds> resumed_seeds() {
  using namespace std::string_literals;
  const std::string comparison = small_comparison(), sheet = "id,state,age,who\np3,t,50,a\np1,n,61,b\np2,t,47,b\n",
                    table = "id,g1,g2\np1,0.5,1\np2,-1,2\np3,2,3\n";
  return {{"checkpoint", {{"cells", small_checkpoint(), 0}, {"halves", small_halves(), 0}}},
          {"comparison",
           {{"whole.csv", comparison, 0},
            {"lines.csv", comparison.substr(comparison.find("split,")), 0},
            {"deep.csv", "# cavity compare " + repeated("[", 2000), 0}}},
          {"options",
           {{"fit", "fit\n--density\n0.1,0.02\n--transform\nlog\n--memory\n2G", 0},
            {"numbers", "0.1,0.2,1e-320\n1e999\n500M\n-1\n0x10\n1000", 0}}},
          {"readers", {{"numbers", "\x05\x03" + raw(std::vector<float>{1, -2.5F, 3e38F, 1e-45F, 0.1F, -1e-30F}), 0}}},
          {"joined",
           {{"csv", sheet + "\0"s + table, 0},
            {"rows", sheet + "\0gene,p1,p2,p3\ng1,1,2,3\ng2,4,5,6\n"s, 0},
            {"svmlight",
             sheet + "\0"
                     "1 1:2\n-1 2:3\n1 1:1\n"s,
             0}}}};
}

}  // namespace cavity::test
