// Damaged files of every format: each is read or refused with an error of ours, never a crash (the sanitizers watch).
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

std::string damaged(std::string bytes, Random& random) {
  const std::string telling = "\",;\t\n\r :#-+.e09\xff" + std::string(1, '\0');
  for (std::uint64_t edits = 1 + random.below(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random.below(bytes.size());
    const char c = random.below(4) == 0 ? static_cast<char>(random.below(256)) : telling[random.below(telling.size())];
    switch (random.below(4)) {
      case 0:
        bytes[at] = c;
        break;
      case 1:
        bytes.insert(at, 1, c);
        break;
      case 2:
        bytes.erase(at, 1 + random.below(5));
        break;
      default:
        bytes.resize(random.below(8) == 0 ? at : bytes.size());
        break;
    }
  }
  return bytes;
}

TEST(Mutation, DamagedFilesAreReadOrRefused) {
  const test::TempDir dir;
  const std::string table = "\"id\",label,a,\"b,c\"\ns1,t,1.5,2e3\ns2,\"n\"\"x\",NA,-4\r\ns3,t,,+7\n\ns4,t,\"1\",.5\n";
  const std::string svmlight = "# c\n+1 qid:1 1:0.5 7:2e-3 # d\n-1 2:1\n1\n-1 0:3 4:nan\n";
  const std::string npy = test::npy("<f4", "(2, 3)", test::raw<float>({1, 2, 3, 4, 5, 6}));
  const std::vector<std::string> good{table, svmlight, npy, test::gzip(table), test::zstd(svmlight), test::gzip(npy)};
  Random random(5);
  int read = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const std::string path = dir.write("t", damaged(good[static_cast<std::size_t>(trial) % good.size()], random));
    ReadOptions options{.labels_required = random.below(2) == 0};
    if (trial % good.size() == 0 && random.below(2) == 0) options.sample_id = "1";
    try {
      const Dataset d = read_dataset(path, options);
      ASSERT_EQ(d.features.dense().values.size(), d.features.rows() * d.features.cols());
      ASSERT_EQ(d.feature_names.size(), d.features.cols());
      ASSERT_EQ(d.sample_names.size(), d.features.rows());
      ASSERT_TRUE(d.classes.empty() || d.classes.size() == d.features.rows());
      ++read;
    } catch (const Error& error) {
      ASSERT_GT(std::string(error.what()).size(), 10U);
    }
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace cavity
