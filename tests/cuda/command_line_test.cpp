// cavity-cuda as a user meets it where there is no device that it can use.
#include "cuda/device_or_skip.hpp"
#include "support/run_cavity.hpp"

namespace cavity {
namespace {

void expect_refusal(const std::string& environment, const std::string& sentence) {
  const test::Outcome outcome =
      test::run_shell("printf 'label,a,b\\nx,1,2\\ny,3,4\\nx,2,1\\ny,5,7\\nx,0,1\\ny,4,4\\n' >t.csv\n" + environment +
                      " " CAVITY_CUDA_BINARY " fit t.csv -o m.cavity; code=$?; ls; exit $code");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.err.find(sentence), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.find("m.cavity"), std::string::npos) << outcome.out;
}

TEST(CudaCommandLine, SaysThatThereIsNoDeviceAndWritesNothing) {
  if (test::has_device()) GTEST_SKIP() << "skipped: there is a device";
  expect_refusal("", "cavity-cuda: no device");
}

TEST(CudaCommandLine, SaysThatTheDriverIsTooOldAndWritesNothing) {
  expect_refusal("LD_LIBRARY_PATH=" CAVITY_OLD_DRIVER,
                 "cavity-cuda: the NVIDIA driver is too old: it serves CUDA 11.4, and this program needs 13.0");
}

TEST(CudaCommandLine, NeedsNoDeviceForHelp) {
  const test::Outcome outcome = test::run_shell(CAVITY_CUDA_BINARY " fit --help");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("cavity-cuda"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace cavity
