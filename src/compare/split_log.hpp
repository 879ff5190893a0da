// The CSV of a comparison, written as it goes: whatever ends the program, the file holds whole splits and can be
// resumed. Line 1 is a comment with the settings as JSON, line 2 the header, then a line a split and method.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cavity/compare.hpp"

namespace cavity {

std::string split_csv(const nlohmann::ordered_json& settings, const std::vector<SplitResult>& results);

class SplitLog {
 public:
  /// Starts `path`, or with `resume` continues it: splits that lack a method or end in the middle of a line are
  /// dropped. UsageError when the file is there and `resume` is not set, or was made with other settings (all but the
  /// number of splits count); InputError when it is no such file.
  SplitLog(std::string path, nlohmann::ordered_json settings, std::size_t methods, bool resume);
  ~SplitLog();
  SplitLog(const SplitLog&) = delete;
  SplitLog& operator=(const SplitLog&) = delete;

  const std::vector<SplitResult>& done() const { return done_; }
  std::vector<std::size_t> done_splits() const;

  /// One write, appended: the lines are there together or not at all.
  void append(const std::vector<SplitResult>& split);
  /// Everything in order, in place of the file.
  void finish(std::vector<SplitResult> results);

 private:
  std::string path_;
  nlohmann::ordered_json settings_;
  std::vector<SplitResult> done_;
  int file_ = -1;
};

}  // namespace cavity
