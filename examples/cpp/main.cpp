// example TABLE: fits a table (one row a sample, a column called "label"), says how wrong the classifier will be on new
// samples, and which features matter.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "cavity/fit.hpp"
#include "cavity/read.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: example TABLE\n");
    return 2;
  }
  try {
    const cavity::Fit fit = cavity::fit(cavity::read_dataset(arguments[1]));
    std::printf("loo_error %.4f\n", fit.loo.error);
    const std::vector<cavity::Feature> ranked = cavity::ranked_features(fit.model);
    for (std::size_t i = 0; i < std::min<std::size_t>(5, ranked.size()); ++i)
      std::printf("%s %.4f\n", ranked[i].name.c_str(), ranked[i].inclusion);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example: %s\n", error.what());
    return 1;
  }
}
