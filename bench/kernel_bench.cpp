// Each kernel against the limit that the same run measures on one core: bytes read a second for the sweeps,
// multiply-adds a second for the products. The counter `of_limit` is the share of that limit.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "design/dense_design.hpp"
#include "infer/ep.hpp"
#include "kernels/packed_rows.hpp"
#include "limits.hpp"
#include "model/activation.hpp"
#include "model/pruning.hpp"

namespace cavity {
namespace {

/// Begins with a cache line, as the values of a mapped .npy do.
FeatureMatrix random_matrix(std::size_t samples, std::size_t features) {
  const std::size_t count = samples * features;
  const std::shared_ptr<float[]> values(new (std::align_val_t{64}) float[count],
                                        [](float* p) { ::operator delete[](p, std::align_val_t{64}); });
  std::uint32_t state = 1;  // quality does not matter, time does
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    values[i] = static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-31F;
  }
  return FeatureMatrix::borrow(values.get(), samples, features, values);
}

/// 400 MB: far beyond any last-level cache here.
const FeatureMatrix& large() {
  static const FeatureMatrix x = random_matrix(5000, 20000);
  return x;
}

double float_peak() {
  static const double best = limits::float_peak();
  return best;
}
double double_peak() {
  static const double best = limits::double_peak();
  return best;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void rate(benchmark::State& state, double work, double limit, const char* unit) {
  const double total = work * static_cast<double>(state.iterations());
  state.counters[unit] = benchmark::Counter(1e-9 * total, benchmark::Counter::kIsRate);
  state.counters["of_limit"] = benchmark::Counter(total / limit, benchmark::Counter::kIsRate);
}

/// Reading alone and the update in turns: the bandwidth of a shared machine is not the same from second to second.
void amp_sweep(benchmark::State& state) {
  const DenseDesign design(view(large()));
  std::vector<double> v(design.features(), 0.1), out(design.features());
  ThreadPool pool(1);
  Scratch scratch;
  const std::size_t count = large().rows * large().cols;
  std::vector<double> reads, sweeps;
  for (auto _ : state) {
    reads.push_back(limits::read_seconds(large().data(), count));
    const double start = limits::cpu_seconds();
    design.sweep(
        v,
        [](std::size_t, std::span<double> products) {
          for (double& p : products) p *= 1e-3;
        },
        out, scratch, pool, Precision::rough);
    sweeps.push_back(limits::cpu_seconds() - start);
    state.SetIterationTime(sweeps.back());
  }
  const double read = median(reads), sweep = median(sweeps);
  state.counters["read_GB/s"] = 1e-9 * static_cast<double>(count * sizeof(float)) / read;
  state.counters["GB/s"] = 1e-9 * static_cast<double>(count * sizeof(float)) / sweep;
  state.counters["of_limit"] = read / sweep;
}
BENCHMARK(amp_sweep)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);

void amp_batch(benchmark::State& state) {
  const DenseDesign design(view(large()));
  const auto models = static_cast<std::size_t>(state.range(0));
  std::vector<std::vector<double>> v(models, std::vector<double>(design.features(), 0.1)), out = v;
  const std::vector<std::span<const double>> in(v.begin(), v.end());
  const std::vector<std::span<double>> to(out.begin(), out.end());
  ThreadPool pool(1);
  Scratch scratch;
  for (auto _ : state)
    design.sweep_many(
        in,
        [&](const Design::SampleRange& range, const double* p, double* u) {
          std::copy_n(p, range.count * range.stride, u);
        },
        to, scratch, pool);
  rate(state, 2 * static_cast<double>(large().rows * large().cols * models), float_peak(), "GMA/s");
  state.counters["ms_a_model"] =
      benchmark::Counter(1e-3 * static_cast<double>(models * static_cast<std::size_t>(state.iterations())),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(amp_batch)->Arg(36)->Arg(16)->Arg(8)->Unit(benchmark::kMillisecond)->MinTime(2);

/// EP's two products of samples x features, samples^2 features/2 multiply-adds each, against the peak of their
/// precision: in double, or rough in floats.
void ep_gram(benchmark::State& state, Precision precision) {
  const auto m = static_cast<std::size_t>(state.range(0)), n = static_cast<std::size_t>(state.range(1));
  const FeatureMatrix x = random_matrix(m, n);
  const DenseDesign design(view(x));
  const std::vector<double> t(n, 0.5);
  Matrix k;
  ThreadPool pool(1);
  for (auto _ : state) design.gram(t, k, pool, precision);
  rate(state, 0.5 * static_cast<double>(m * m * n), design.rounds(precision) ? float_peak() : double_peak(), "GMA/s");
}

void ep_quadratic(benchmark::State& state, Precision precision) {
  const auto m = static_cast<std::size_t>(state.range(0)), n = static_cast<std::size_t>(state.range(1));
  const FeatureMatrix x = random_matrix(m, n);
  const DenseDesign design(view(x));
  const Matrix w = Matrix::Identity(state.range(0), state.range(0));
  std::vector<double> q(n);
  ThreadPool pool(1);
  for (auto _ : state) design.quadratic(w, q, pool, precision);
  rate(state, 0.5 * static_cast<double>(m * m * n), design.rounds(precision) ? float_peak() : double_peak(), "GMA/s");
}

void wide_tables(benchmark::internal::Benchmark* bench) {
  for (const auto& shape : {std::pair{62, 2000}, {102, 12600}, {333, 5000}, {1300, 3300}, {2000, 2000}})
    bench->Args({shape.first, shape.second});
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(ep_gram, double, Precision::full)->Apply(wide_tables);
BENCHMARK_CAPTURE(ep_gram, float, Precision::rough)->Apply(wide_tables);
BENCHMARK_CAPTURE(ep_quadratic, float, Precision::rough)->Apply(wide_tables);

/// The same two where features are few: features^2 samples/2, in double.
void ep_primal(benchmark::State& state, bool forms) {
  const auto m = static_cast<std::size_t>(state.range(0)), n = static_cast<std::size_t>(state.range(1));
  ThreadPool pool(1);
  AlignedVector<double> tiles;
  const PackedRows<double> y = pack_matrix(Matrix::Random(state.range(1), state.range(0)), tiles, pool);
  const std::vector<double> omega(m, 0.5);
  Matrix lambda = Matrix::Zero(state.range(1), state.range(1));
  PackedTriangle<double> triangle;
  std::vector<double> variance(m);
  for (auto _ : state) {
    if (forms) {
      triangle.pack(lambda, pool);
      column_forms(y, triangle, variance, pool);
    } else {
      lambda.setZero();
      add_gram(y, omega, lambda, pool);
    }
  }
  rate(state, 0.5 * static_cast<double>(n * n * m), double_peak(), "GMA/s");
}
BENCHMARK_CAPTURE(ep_primal, gram, false)->Args({1700, 500})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ep_primal, quadratic, true)->Args({1700, 500})->Unit(benchmark::kMillisecond);

/// Labels of a few features with noise, so that sites of both signs occur.
std::vector<std::int8_t> noisy_labels(const FeatureMatrix& x) {
  Random random(3);
  std::vector<std::int8_t> labels(x.rows);
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    double field = random.normal();
    for (std::size_t l = 0; l < std::min<std::size_t>(x.cols, 20); ++l) field += static_cast<double>(x.row(mu)[l]);
    labels[mu] = field > 0 ? 1 : -1;
  }
  return labels;
}

/// A whole update: both products, the inverse, the sites; ten from a cold start, by probit (0) or step (1).
void ep_update(benchmark::State& state) {
  const FeatureMatrix x =
      random_matrix(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const DenseDesign design(view(x));
  const std::vector<std::int8_t> labels = noisy_labels(x);
  const Covariates intercept{Matrix::Ones(state.range(0), 1), {0.01}};
  const Problem problem{design, labels, intercept, state.range(2) == 0 ? AnyActivation(probit(0.3)) : step(0.05), 0.1};
  SolverOptions options;
  options.max_iterations = 10;
  ThreadPool pool(1);
  double updates = 0;
  for (auto _ : state) updates += fit_ep(problem, options, {}, pool).posterior.iterations + 1;
  state.counters["ms_an_update"] =
      benchmark::Counter(1e-3 * updates, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void all_tables(benchmark::internal::Benchmark* bench) {
  for (const auto& shape : {std::pair{62, 2000}, {102, 12600}, {333, 5000}, {1300, 3300}, {2000, 2000}, {1700, 500}})
    for (const int step : {0, 1}) bench->Args({shape.first, shape.second, step});
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK(ep_update)->Apply(all_tables);

void slopes(benchmark::State& state) {
  Random random(1);
  std::vector<double> d(4096), a(d.size()), b(d.size());
  for (auto& x : d) x = 2 * random.normal();
  for (auto _ : state) tilt_slopes(step(0.1), d, 0.7, a, b);
  state.counters["ns_each"] =
      benchmark::Counter(1e-9 * static_cast<double>(state.iterations()) * static_cast<double>(d.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(slopes);

void pruning(benchmark::State& state) {
  Random random(1);
  std::vector<double> h(20000);
  for (auto& x : h) x = 3 * random.normal();
  PruningPrior prior = uninformed_prior(0.1);
  for (auto _ : state) benchmark::DoNotOptimize(solve_pruning({h, {}}, {0.1}, prior));
  state.counters["ns_a_feature"] =
      benchmark::Counter(1e-9 * static_cast<double>(state.iterations()) * static_cast<double>(h.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(pruning);

}  // namespace
}  // namespace cavity

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("float multiply-adds G/s", std::to_string(1e-9 * cavity::float_peak()));
  benchmark::AddCustomContext("double multiply-adds G/s", std::to_string(1e-9 * cavity::double_peak()));
  benchmark::RunSpecifiedBenchmarks();
}
