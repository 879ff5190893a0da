// Every kernel on every SIMD level of this machine, the scalar one among them, against plain loops.
#include <hwy/targets.h>

#include <cstdio>

#include "fuzzing.hpp"
#include "simd_case.hpp"

namespace {

using namespace cavity::fuzz;

std::vector<MakeCase> all_cases() {
  std::vector<MakeCase> all;
  for (const auto& some : {dense_cases(), sparse_cases(), genotype_cases(), prior_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::vector<std::int64_t> levels() {
  std::vector<std::int64_t> all;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) all.push_back(rest & -rest);
  return all;
}

void expect_agrees(const Case& c, std::size_t which, std::int64_t level) {
  const std::vector<double> got = c.run();
  expect(got.size() == c.expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double off = std::abs(got[i] - c.expected[i].value);
    if (off <= c.tolerance * c.expected[i].size) continue;
    std::fprintf(stderr, "case %zu on %s: entry %zu of %zu is %.17g, a plain loop gives %.17g (size %g)\n", which,
                 hwy::TargetName(level), i, got.size(), got[i], c.expected[i].value, c.expected[i].size);
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<MakeCase> cases = all_cases();
  static const std::vector<std::int64_t> targets = levels();
  if (size == 0) return 0;
  expect(targets.size() > 1);  // else there is nothing to compare
  Draw draw(data + 1, size - 1);
  const std::size_t which = data[0] % cases.size();
  const Case c = cases[which](draw);
  for (const std::int64_t target : targets) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    expect_agrees(c, which, target);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  return 0;
}
