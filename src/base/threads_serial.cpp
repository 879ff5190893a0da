// Where there are no threads: the caller does all blocks in order, which gives the same bits.
#include "base/threads.hpp"

namespace cavity {

ThreadPool::ThreadPool(unsigned) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::size_t blocks, const std::function<void(std::size_t)>& work) {
  for (std::size_t block = 0; block < blocks; ++block) work(block);
}

}  // namespace cavity
