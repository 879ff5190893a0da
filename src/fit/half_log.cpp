#include "fit/half_log.hpp"

#include <fmt/format.h>

#include <deque>
#include <filesystem>

#include "cavity/errors.hpp"
#include "file/array_file.hpp"
#include "file/atomic_file.hpp"

namespace cavity {

namespace {

const ArrayFileWords words{"finished halves of cavity stability", "file of halves", "remove it to start again"};

std::string path_of(const CheckpointOptions& options) { return options.file.empty() ? "" : options.file + ".halves"; }
std::string array_name(std::size_t half) { return fmt::format("half {}", half); }

}  // namespace

void check_half_log(const CheckpointOptions& options) {
  const std::string path = path_of(options);
  if (path.empty()) return;
  check_writable(path);
  if (!options.resume && std::filesystem::exists(path))
    throw UsageError(fmt::format("{} is there already: `resume` continues it; remove it to start again", path));
}

void remove_half_log(const CheckpointOptions& options) {
  std::error_code ignored;
  if (!options.file.empty()) std::filesystem::remove(path_of(options), ignored);
}

HalfLog::HalfLog(const CheckpointOptions& options, std::uint64_t run, std::size_t features)
    : path_(path_of(options)),
      run_(run),
      interval_(
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::ratio<60>>(options.minutes))) {
  if (!path_.empty() && options.resume && std::filesystem::exists(path_)) read(features);
}

void HalfLog::read(std::size_t features) {
  const ArrayReader file(read_bytes(path_), path_, words);
  const nlohmann::json& header = file.header();
  if (!header.contains("halves of")) file.damaged("it holds something else");
  if (header["halves of"] != run_)
    throw UsageError(fmt::format(
        "{} holds halves of other data or options: give the same ones, or remove it to start again", path_));
  for (const std::uint32_t half : file.read<std::uint32_t>("solved")) {
    halves_[half] = file.read<double>(array_name(half));
    if (halves_[half]->size() != features) file.damaged(fmt::format("{} features in a half", halves_[half]->size()));
    for (const double inclusion : *halves_[half])
      if (!(inclusion >= 0 && inclusion <= 1)) file.damaged(fmt::format("an inclusion of {}", inclusion));
  }
  for (const std::uint32_t half : file.read<std::uint32_t>("failed")) halves_[half] = std::nullopt;
}

std::optional<HalfInclusion> HalfLog::find(std::size_t half) const {
  const auto at = halves_.find(half);
  if (at == halves_.end()) return std::nullopt;
  return at->second;
}

void HalfLog::add(std::size_t half, const HalfInclusion& inclusion) {
  if (path_.empty()) return;
  halves_[half] = inclusion;
  if (Clock::now() - written_ < interval_) return;
  write();
  written_ = Clock::now();
}

void HalfLog::write() const {
  ArrayWriter file;
  std::vector<std::uint32_t> solved, failed;
  for (const auto& [half, inclusion] : halves_) {
    (inclusion ? solved : failed).push_back(static_cast<std::uint32_t>(half));
    if (inclusion) file.add(array_name(half), *inclusion);
  }
  file.add("solved", solved);
  file.add("failed", failed);
  file.write({{"halves of", run_}}, path_);
}

}  // namespace cavity
