// Finished halves of a run that may be stopped, in a file beside the checkpoint of its fit.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cavity/fit_options.hpp"

namespace cavity {

/// Inclusions of a half; none where no cell converged.
using HalfInclusion = std::optional<std::vector<double>>;

class HalfLog {
 public:
  /// `run` tells what a half depends on. UsageError for the file of another run, InputError for one that is damaged.
  HalfLog(const CheckpointOptions& options, std::uint64_t run, std::size_t features);

  /// Nothing where the half is still to be solved.
  std::optional<HalfInclusion> find(std::size_t half) const;
  /// Written when it is time to, one call at a time.
  void add(std::size_t half, const HalfInclusion& inclusion);

 private:
  void read(std::size_t features);
  void write() const;

  using Clock = std::chrono::steady_clock;
  std::string path_;  // empty: no file
  std::uint64_t run_;
  Clock::duration interval_;
  Clock::time_point written_ = Clock::now();
  std::map<std::size_t, HalfInclusion> halves_;
};

/// Errors that can be known before the work: a file that is there and is not to be resumed, one that cannot be written.
void check_half_log(const CheckpointOptions& options);
void remove_half_log(const CheckpointOptions& options);

}  // namespace cavity
