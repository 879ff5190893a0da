#include "base/threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

namespace cavity {
namespace {

TEST(ThreadPool, DoesEveryBlockOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    for (const std::size_t blocks : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> done(blocks);
      pool.run(blocks, [&](std::size_t block) { ++done[block]; });
      for (const auto& times : done) ASSERT_EQ(times, 1) << threads << " threads, " << blocks << " blocks";
    }
  }
}

TEST(ThreadPool, BlocksMayCallIt) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::atomic<int>> done(3 * 4 * 50);
      pool.run(3, [&](std::size_t i) {
        pool.run(4, [&](std::size_t j) { pool.run(50, [&](std::size_t k) { ++done[(i * 4 + j) * 50 + k]; }); });
      });
      for (const auto& times : done) ASSERT_EQ(times, 1);
    }
  }
}

// Two blocks that wait for each other can only end if two threads are in them.
TEST(ThreadPool, AThreadWithNothingLeftHelpsABlockThatIsStillBusy) {
  ThreadPool pool(2);
  std::atomic<bool> short_one_done = false;
  std::atomic<int> inside = 0;
  pool.run(2, [&](std::size_t block) {
    if (block == 0) {
      short_one_done = true;
      return;
    }
    while (!short_one_done) std::this_thread::yield();
    pool.run(2, [&](std::size_t) {
      ++inside;
      while (inside < 2) std::this_thread::yield();
    });
  });
  EXPECT_EQ(inside, 2);
}

// It may hold what the other one needs.
TEST(ThreadPool, ABlockIsNotLeftForAnotherOfTheSameCall) {
  ThreadPool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> inside;
  pool.run(40, [&](std::size_t) {
    {
      const std::lock_guard lock(mutex);
      ASSERT_TRUE(inside.insert(std::this_thread::get_id()).second);
    }
    pool.run(8, [](std::size_t) { std::this_thread::yield(); });
    const std::lock_guard lock(mutex);
    inside.erase(std::this_thread::get_id());
  });
}

TEST(ThreadPool, RethrowsWhatABlockThrows) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run(10,
                        [](std::size_t block) {
                          if (block == 4) throw std::runtime_error("four");
                        }),
               std::runtime_error);
  EXPECT_THROW(pool.run(4,
                        [&](std::size_t) {
                          pool.run(4, [](std::size_t block) {
                            if (block == 1) throw std::runtime_error("one");
                          });
                        }),
               std::runtime_error);
  std::atomic<int> after = 0;
  pool.run(10, [&](std::size_t) { ++after; });
  EXPECT_EQ(after, 10);
}

/// Threads that are started while it lives ask for a stack of so many bytes.
class StackSize {
 public:
  explicit StackSize(std::size_t bytes) {
    pthread_attr_init(&before_);
    pthread_getattr_default_np(&before_);
    pthread_attr_t wanted;
    pthread_attr_init(&wanted);
    pthread_attr_setstacksize(&wanted, bytes);
    pthread_setattr_default_np(&wanted);
    pthread_attr_destroy(&wanted);
  }
  ~StackSize() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  StackSize(const StackSize&) = delete;
  StackSize& operator=(const StackSize&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(ThreadPool, ThreadsThatCannotStartAreDoneWithout) {
  const StackSize more_than_there_is(std::size_t{1} << 46);
  ThreadPool pool(4);
  EXPECT_EQ(pool.size(), 1U);
  std::atomic<int> done = 0;
  pool.run(10, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace cavity
