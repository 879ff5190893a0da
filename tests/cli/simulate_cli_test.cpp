// cavity simulate in both formats, and read back.
#include <gtest/gtest.h>

#include "cavity/read.hpp"
#include "support/run_cavity.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

TEST(SimulateCli, NpyAndCsvHoldTheSameData) {
  const test::TempDir folder;
  const std::string common = "simulate --samples 30 --features 17 --noise 0.1 --seed 3 --classes well,ill ";
  const std::string csv = folder.path("x.csv"), npy = folder.path("x.npy"), labels = folder.path("y.txt");
  test::expect_ok(test::run_cavity(common + "-o " + csv), "csv");
  test::expect_ok(test::run_cavity(common + "-o " + npy + " --labels " + labels), "npy");
  const Dataset a = read_dataset(csv), b = read_dataset(npy, {.labels_file = labels});
  EXPECT_EQ(a.features.dense().values, b.features.dense().values);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.class_names, b.class_names);
}

TEST(SimulateCli, AnArrayNeedsAFile) {
  test::expect_refusal("simulate --samples 3 --features 4 --labels y.txt", 2, {"--labels", "-o"});
}

}  // namespace
}  // namespace cavity
