// The one place that knows threads. Work is cut into blocks whose number never depends on the thread count; each block
// writes its own slot and reductions run over the slots in order, so results are bit-identical for any thread count.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cavity {

class ThreadPool {
 public:
  /// `threads` >= 1 workers including the caller; 0 means one a core. Where the system refuses one (a limit on
  /// processes or on memory) the pool has those that it got: size() says how many.
  explicit ThreadPool(unsigned threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls work(block) for every block in [0, blocks), each once, in any order on any worker; returns when all are
  /// done. The first exception thrown by a block is rethrown here. A block may call run on the same pool: threads that
  /// have nothing else to do help it. It must not hold a lock that a block of such a call takes.
  void run(std::size_t blocks, const std::function<void(std::size_t)>& work);

 private:
  struct Job;

  bool start_worker();
  void serve();
  Job* job_with_blocks(const Job* within) const;
  void help(Job& job, std::unique_lock<std::mutex>& lock);
  void drain(Job& job);
  void wait_for_news(std::unique_lock<std::mutex>& lock);
  void announce();

  std::vector<std::thread> workers_;
  bool spin_ = false;  // before sleeping
  std::mutex mutex_;   // of all below
  std::condition_variable changed_;
  std::vector<Job*> jobs_;
  std::atomic<std::size_t> news_ = 0;  // jobs that came, and that were left by the last who helped
  std::size_t asleep_ = 0;
  bool stop_ = false;
};

}  // namespace cavity
