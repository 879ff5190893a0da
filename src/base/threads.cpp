#include "base/threads.hpp"

#include <algorithm>

namespace cavity {

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::run(std::size_t blocks, const std::function<void(std::size_t)>& work) {
  if (workers_.empty() || blocks <= 1) {
    for (std::size_t block = 0; block < blocks; ++block) work(block);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  blocks_ = blocks;
  failure_ = nullptr;
  wake_.notify_all();
  drain(lock);
  done_.wait(lock, [this] { return running_ == 0; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < blocks_); });
    if (stop_) return;
    drain(lock);
    if (running_ == 0) done_.notify_all();
  }
}

void ThreadPool::drain(std::unique_lock<std::mutex>& lock) {
  while (work_ != nullptr && next_ < blocks_) {
    const std::size_t block = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work_)(block);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure && !failure_) {
      failure_ = failure;
      next_ = blocks_;
    }
  }
}

}  // namespace cavity
