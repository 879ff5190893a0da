// Processes played by threads of one process: what MPI does, without MPI.
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "base/shards.hpp"

namespace cavity::test {

class ThreadShards {
 public:
  /// Calls work(shards) in `ranks` threads at once and returns when all have ended; rethrows what one of them threw.
  static void run(std::size_t ranks, const std::function<void(const Shards&)>& work) {
    Common common(ranks);
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> failures(ranks);
    for (std::size_t r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        try {
          work(Member(common, r));
        } catch (...) {
          failures[r] = std::current_exception();
          common.meet.arrive_and_drop();
        }
      });
    for (auto& thread : threads) thread.join();
    for (const auto& failure : failures)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  struct Common {
    explicit Common(std::size_t ranks) : parts(ranks), meet(static_cast<std::ptrdiff_t>(ranks)) {}
    std::vector<std::vector<double>> parts;
    std::barrier<> meet;
  };

  class Member final : public Shards {
   public:
    Member(Common& common, std::size_t rank) : common_(common), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t ranks() const override { return common_.parts.size(); }
    using Shards::sum;
    void sum(std::span<double> values) const override {
      if (common_.parts.size() == 1) return;  // any of its threads may call it then
      common_.parts[rank_].assign(values.begin(), values.end());
      common_.meet.arrive_and_wait();
      for (std::size_t i = 0; i < values.size(); ++i) {
        double total = 0;
        for (const auto& part : common_.parts) total += part.at(i);
        values[i] = total;
      }
      common_.meet.arrive_and_wait();
    }

   private:
    Common& common_;
    std::size_t rank_;
  };
};

}  // namespace cavity::test
