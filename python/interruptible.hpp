// Runs long work on a thread of its own while the calling thread, without the GIL, looks for Ctrl-C and passes progress
// on to Python. The work never touches the interpreter: it asks keep_going() and calls report().
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

template <class Record>
class Interruptible {
 public:
  bool keep_going() const { return !stopped_; }

  void report(const Record& record) {
    const std::lock_guard lock(mutex_);
    records_.push_back(record);
    wake_.notify_one();
  }

  /// Returns when the work has ended. Throws what it threw or, first, what Python raised: KeyboardInterrupt, or an
  /// error of `show`, which gets the records with the GIL held.
  void run(const std::function<void()>& work, const std::function<void(const Record&)>& show) {
    std::exception_ptr failure, python_failure;
    {
      const nanobind::gil_scoped_release released;
      std::thread worker([&] {
        try {
          work();
        } catch (...) {
          failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        ended_ = true;
        wake_.notify_one();
      });
      while (!wait()) {
        if (stopped_) continue;
        try {
          const nanobind::gil_scoped_acquire held;
          attend(show);
        } catch (...) {
          python_failure = std::current_exception();
          stopped_ = true;
        }
      }
      worker.join();
    }
    if (python_failure) std::rethrow_exception(python_failure);
    attend(show);
    if (failure) std::rethrow_exception(failure);
  }

 private:
  bool wait() {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return ended_ || !records_.empty(); });
    return ended_;
  }

  void attend(const std::function<void(const Record&)>& show) {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    std::deque<Record> taken;
    {
      const std::lock_guard lock(mutex_);
      taken.swap(records_);
    }
    for (const Record& record : taken) show(record);
  }

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Record> records_;
  bool ended_ = false;
};
