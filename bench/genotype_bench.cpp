// One AMP update (X v, then X^T u) over packed genotypes against merely reading the packed bytes once, in turns in one
// run: `times_read` is the best update over the best read, both with the same number of threads.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "design/genotype_design.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 5000, variants = 200000, row_bytes = samples / 4;

/// 250 MB of random calls; one call in `missing` (a power of two) is not known, none for 0.
std::vector<std::uint8_t> random_calls(unsigned missing) {
  std::vector<std::uint8_t> bytes(variants * row_bytes);
  std::uint32_t state = 1;
  for (auto& b : bytes) {
    state = state * 1664525U + 1013904223U;
    const unsigned code = state >> 24, unknown = code & 0x55U & ~(code >> 1);
    b = static_cast<std::uint8_t>(code | unknown << 1);
    if (missing != 0 && (state >> 8 & (missing / 4 - 1)) == 0) b = static_cast<std::uint8_t>((b & ~3U) | 1U);
  }
  return bytes;
}

/// As AMP's are at a density of 0.01 (one in fifty above 1/256 of the largest, nearly all others above 1/65536), or all
/// of one size, which is the worst case: weights that are small beside the largest take fewer digits.
std::vector<double> random_weights(bool sparse) {
  std::vector<double> v(variants);
  std::uint32_t state = 1;
  for (std::size_t l = 0; l < variants; ++l) {
    state = state * 1664525U + 1013904223U;
    v[l] = static_cast<double>(static_cast<std::int32_t>(state)) * 0x1p-31 * (sparse && l % 50 != 0 ? 1.0 / 400 : 1);
  }
  return v;
}

std::uint64_t read_all(const std::vector<std::uint8_t>& bytes, ThreadPool& pool) {
  constexpr std::size_t blocks = 64;
  std::vector<std::uint64_t> sums(blocks);
  const auto* words = reinterpret_cast<const std::uint64_t*>(bytes.data());
  const std::size_t count = bytes.size() / 8;
  pool.run(blocks, [&](std::size_t b) {
    std::uint64_t s[8] = {};
    const std::size_t end = count * (b + 1) / blocks;
    for (std::size_t i = count * b / blocks; i + 8 <= end; i += 8)
      for (std::size_t k = 0; k < 8; ++k) s[k] += words[i + k];
    sums[b] = std::accumulate(s, s + 8, std::uint64_t{0});
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

double cpu_seconds() {  // of all threads
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void genotype_update(benchmark::State& state) {
  const auto bytes = random_calls(static_cast<unsigned>(state.range(1)));
  ThreadPool pool(static_cast<unsigned>(state.range(0)));
  std::vector<std::size_t> all(samples), kept(variants);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  const GenotypeDesign design({bytes.data(), samples, variants, row_bytes}, all,
                              {kept, std::vector<double>(variants, 0.9), std::vector<double>(variants, 1.4)},
                              std::vector<double>(samples, 1));
  std::vector<double> v = random_weights(state.range(2) != 0), u(samples), h(variants);
  double read = 1e9, times = 1e9, transpose = 1e9, cpu = 1e9;
  for (auto _ : state) {
    read = std::min(read, seconds([&] { benchmark::DoNotOptimize(read_all(bytes, pool)); }));
    const double start = cpu_seconds();
    const double first = seconds([&] { design.times(v, u, pool, Precision::rough); });
    const double second = seconds([&] { design.transpose_times(u, h, pool, Precision::rough); });
    cpu = std::min(cpu, cpu_seconds() - start);
    times = std::min(times, first);
    transpose = std::min(transpose, second);
    state.SetIterationTime(first + second);
  }
  state.counters["read_ms"] = 1e3 * read;
  state.counters["times_ms"] = 1e3 * times;
  state.counters["transpose_ms"] = 1e3 * transpose;
  state.counters["cpu_ms_a_thread"] =
      1e3 * cpu / static_cast<double>(state.range(0));  // of an update, on a busy machine
  state.counters["times_read"] = (times + transpose) / read;
}
BENCHMARK(genotype_update)
    ->ArgNames({"threads", "one_missing_in", "sparse"})
    ->Args({1, 0, 1})
    ->Args({2, 0, 1})
    ->Args({2, 0, 0})
    ->Args({2, 64, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);

}  // namespace
}  // namespace cavity

BENCHMARK_MAIN();
