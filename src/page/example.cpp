#include "cavity/simulate.hpp"
#include "page/requests.hpp"
#include "simulate/write_csv.hpp"

namespace cavity::page {

// The data of tools/demo: a hidden rule over 8 of 1000 genes.
Json example(const Json&) {
  SimulationOptions options{.samples = 120,
                            .features = 1000,
                            .teacher = 0.008,
                            .noise = 0.02,
                            .seed = 5,
                            .skip = 0,
                            .names = FeatureNames::genes,
                            .class_names = {"healthy", "ill"}};
  write_csv(simulate(options).data, "example.csv");
  options.samples = 200;
  options.skip = 120;
  write_csv(simulate(options).data, "example-new.csv");
  return {{"file", "example.csv"}, {"new", "example-new.csv"}};
}

}  // namespace cavity::page
