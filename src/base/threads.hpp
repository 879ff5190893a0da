// The one place that knows threads. Work is cut into blocks whose number never depends on the thread count; each block
// writes its own slot and reductions run over the slots in order, so results are bit-identical for any thread count.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cavity {

class ThreadPool {
 public:
  /// `threads` >= 1 workers including the caller; 0 means one a core.
  explicit ThreadPool(unsigned threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls work(block) for every block in [0, blocks), each once, in any order on any worker; returns when all are
  /// done. The first exception thrown by a block is rethrown here. Not reentrant: a block must not call run on the same
  /// pool.
  void run(std::size_t blocks, const std::function<void(std::size_t)>& work);

 private:
  void serve();
  void drain(std::unique_lock<std::mutex>& lock);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t next_ = 0, blocks_ = 0, running_ = 0;
  std::exception_ptr failure_;
  bool stop_ = false;
};

}  // namespace cavity
