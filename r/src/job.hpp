// A call on a thread of its own, so that R's thread can look for Ctrl-C and show progress meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "interface.h"
#include "value.hpp"

struct cavity_job {
  std::string work;
  cavity_value arguments, result;
  int outcome = CAVITY_DONE;
  std::string message;

  explicit cavity_job(const char* name) : work(name) { arguments.held = cavity_value::Items(); }
  cavity_job(const cavity_job&) = delete;
  cavity_job& operator=(const cavity_job&) = delete;
  ~cavity_job();

  void start();
  bool wait(int milliseconds);
  void stop() { stopped_ = true; }

  // For the work.
  bool keep_going() const { return !stopped_; }
  bool report(std::size_t done, std::size_t all);

  std::optional<std::array<double, 2>> take_progress();

 private:
  void run() noexcept;

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<std::array<double, 2>> progress_;
  bool ended_ = false;
  std::thread thread_;
};
