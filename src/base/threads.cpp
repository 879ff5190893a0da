#include "base/threads.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace cavity {

namespace {

// A sleeping thread takes tens of microseconds to wake, as long as a small product takes. An idle pool burns no more.
constexpr auto longest_spin = std::chrono::microseconds(100);

}  // namespace

struct ThreadPool::Job {
  const std::function<void(std::size_t)>& work;
  std::size_t blocks;
  Job* around;  // whose block called for it
  int depth;    // jobs around it
  std::atomic<std::size_t> next = 0;
  std::size_t helpers = 0;       // under the pool's mutex, as is the next
  std::exception_ptr failure{};  // the first

  static thread_local Job* here;  // whose block this thread is in

  bool is_within(const Job* other) const {
    const Job* job = this;
    while (job && job != other) job = job->around;
    return job == other;
  }
};

thread_local ThreadPool::Job* ThreadPool::Job::here = nullptr;

ThreadPool::ThreadPool(unsigned threads) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (threads == 0) threads = cores;
  spin_ = threads <= cores;
  workers_.reserve(threads - 1);
  for (unsigned i = 1; i < threads; ++i)
    if (!start_worker()) break;
}

// An exception that left the constructor would destroy what the running workers use.
bool ThreadPool::start_worker() {
  try {
    workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {  // a limit on processes, or no room for another stack
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    announce();
  }
  for (auto& worker : workers_) worker.join();
}

// While others finish blocks of the job, jobs that these blocks call for are helped. Any other might be far longer than
// the wait, or need a lock that the caller holds.
void ThreadPool::run(std::size_t blocks, const std::function<void(std::size_t)>& work) {
  if (workers_.empty() || blocks <= 1) {
    for (std::size_t block = 0; block < blocks; ++block) work(block);
    return;
  }
  Job job{work, blocks, Job::here, Job::here ? Job::here->depth + 1 : 0};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    announce();
  }
  drain(job);
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  while (job.helpers > 0) {
    if (Job* other = job_with_blocks(&job))
      help(*other, lock);
    else
      wait_for_news(lock);
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (Job* job = job_with_blocks(nullptr))
      help(*job, lock);
    else
      wait_for_news(lock);
  }
}

// The shallowest that has blocks left: they are the longest.
ThreadPool::Job* ThreadPool::job_with_blocks(const Job* within) const {
  Job* out = nullptr;
  for (Job* job : jobs_)
    if (job->next < job->blocks && (!out || job->depth < out->depth) && job->is_within(within)) out = job;
  return out;
}

void ThreadPool::help(Job& job, std::unique_lock<std::mutex>& lock) {
  ++job.helpers;
  lock.unlock();
  drain(job);
  lock.lock();
  if (--job.helpers == 0) announce();
}

void ThreadPool::drain(Job& job) {
  Job* const before = std::exchange(Job::here, &job);
  for (std::size_t block = job.next++; block < job.blocks; block = job.next++) {
    try {
      job.work(block);
    } catch (...) {
      job.next = job.blocks;
      const std::lock_guard lock(mutex_);
      if (!job.failure) job.failure = std::current_exception();
    }
  }
  Job::here = before;
}

void ThreadPool::wait_for_news(std::unique_lock<std::mutex>& lock) {
  const std::size_t seen = news_;
  if (spin_) {
    lock.unlock();
    const auto end = std::chrono::steady_clock::now() + longest_spin;
    while (news_ == seen && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    lock.lock();
  }
  ++asleep_;
  changed_.wait(lock, [&] { return news_ != seen; });
  --asleep_;
}

void ThreadPool::announce() {
  ++news_;
  if (asleep_ > 0) changed_.notify_all();
}

}  // namespace cavity
