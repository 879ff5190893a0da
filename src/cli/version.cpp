#include "cli/version.hpp"

#include <H5public.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <zlib.h>
#include <zstd.h>

#include <nlohmann/json.hpp>

namespace cavity::cli {

namespace {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

/// The best of the targets that the kernels were compiled for and the machine has: the lowest bit.
std::string instructions() {
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets == 0 ? "none" : hwy::TargetName(targets & -targets);
}

}  // namespace

std::string version_json() {
  nlohmann::ordered_json out;
  out["schema"] = 2;
  out["version"] = CAVITY_VERSION;
  out["instructions"] = instructions();
  out["libraries"] = {{"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
                      {"hdf5", hdf5_version()},
                      {"highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
                      {"zlib", zlibVersion()},
                      {"zstd", ZSTD_versionString()}};
  return out.dump(2);
}

}  // namespace cavity::cli
