// What the device does in a second: one EP update, one pass of gamp's products, and 16 of amp's sweeps at once, at the
// sizes named on the command line as dense:5000x20000, genotypes:500000x100000 or unknown:500000x100000 (genotypes, one
// call in a hundred unknown). Shares are of the peaks given by the environment variables PEAK_FP64 (flop/s) and
// PEAK_BANDWIDTH (bytes/s), of an H200 without them. DEVICE_BYTES: what tables may take of the device; the rest of them
// is sent in every pass.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/random.hpp"
#include "cuda/cuda_accelerator.hpp"
#include "infer/joint_gaussian.hpp"

namespace {

using namespace cavity;

double peak(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

template <class Work>
double seconds(int times, const Work& work) {
  work();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

void time_update(const Design& design) {
  const std::size_t m = design.samples(), n = design.features();
  Random random(3);
  std::vector<std::int8_t> labels(m);
  for (auto& y : labels) y = random.uniform() < 0.5 ? -1 : 1;
  Covariates covariates;
  covariates.values = Matrix::Ones(static_cast<Eigen::Index>(m), 1);
  covariates.precision = {1};
  const Problem problem{design, labels, covariates, step(0.05), 0.1};
  GaussianSites sites;
  for (std::size_t l = 0; l < n; ++l) {
    sites.tau.push_back(l % 200 == 0 ? 0.2 : 5 + random.uniform());
    sites.nu.push_back(0.1 * random.normal());
  }
  for (std::size_t mu = 0; mu < m; ++mu) {
    sites.omega.push_back(mu % 20 == 0 ? -0.01 : 1 + random.uniform());  // one in twenty is on the wrong side
    sites.eta.push_back(random.normal());
  }
  ThreadPool pool(0);
  JointGaussian joint(problem, pool);
  GaussianMarginals out;
  bool solved = true;
  const double time = seconds(5, [&] { solved = joint.solve(sites, out) && solved; });
  const auto samples = static_cast<double>(m), features = static_cast<double>(n);
  // A triangle of the gram, a triangle of R against every feature, Cholesky and inverse of the factor.
  const double work = 2 * samples * samples * features + 2 * samples * samples * samples / 3;
  std::printf("  EP update %.1f ms, %.1f Tflop/s, %.0f %% of the FP64 peak%s\n", 1e3 * time, 1e-12 * work / time,
              100 * work / time / peak("PEAK_FP64", 67e12), solved ? "" : " (not positive definite)");
}

void time_products(const Design& design, double bytes) {
  Random random(4);
  std::vector<double> v(design.features()), u(design.samples());
  for (auto* x : {&v, &u})
    for (double& value : *x) value = random.normal();
  std::vector<double> rows(u.size()), row_squares(u.size()), columns(v.size()), column_squares(v.size());
  ThreadPool pool(0);
  for (const Precision precision : {Precision::rough, Precision::full}) {
    const double forth = seconds(10, [&] { design.times_both({v, v}, {rows, row_squares}, pool, precision); });
    const double back = seconds(10, [&] {
      design.transpose_times_both({u, u}, {columns, column_squares}, pool, precision);
    });
    const double most = peak("PEAK_BANDWIDTH", 4.8e12);
    std::printf("  %s products with entries and squares: X %.2f ms (%.0f %% of the bandwidth), X^T %.2f ms (%.0f %%)\n",
                precision == Precision::rough ? "rough" : "full", 1e3 * forth, 100 * bytes / forth / most, 1e3 * back,
                100 * bytes / back / most);
  }
}

void time_batch(const Design& design) {
  constexpr std::size_t models = 16;
  std::vector<std::vector<double>> v(models, std::vector<double>(design.features(), 0.5)), out = v;
  const std::vector<std::span<const double>> weights(v.begin(), v.end());
  const std::vector<std::span<double>> messages(out.begin(), out.end());
  ThreadPool pool(0);
  Scratch scratch;
  const auto react = [](const Design::SampleRange& range, const double* products, double* reactions) {
    std::copy_n(products, range.count * range.stride, reactions);
  };
  const auto react_one = [](std::size_t, std::span<double>) {};
  const double together = seconds(3, [&] { design.sweep_many(weights, react, messages, scratch, pool); });
  const double alone =
      seconds(3, [&] { design.sweep(weights[0], react_one, messages[0], scratch, pool, Precision::rough); });
  std::printf("  %zu sweeps at once %.1f ms, one alone %.2f ms: %.1f times as fast\n", models, 1e3 * together,
              1e3 * alone, models * alone / together);
}

void run_dense(const cuda::CudaShards& shards, std::size_t samples, std::size_t features) {
  Random random(1);
  FeatureMatrix values(samples, features);
  for (float& x : values.values) x = static_cast<float>(random.uniform() * 3.46 - 1.73);
  const auto design = shards.accelerator()->hold(std::make_unique<const DenseDesign>(view(values)));
  time_products(*design, 4 * static_cast<double>(samples) * static_cast<double>(features));
  time_batch(*design);
  if (!std::getenv("DEVICE_BYTES") && shards.accelerator()->takes_ep(samples, features)) time_update(*design);
}

void run_genotypes(const cuda::CudaShards& shards, std::size_t samples, std::size_t features, bool unknown) {
  const std::size_t row = (samples + 3) / 4;
  std::vector<std::uint8_t> calls(row * features);
  std::uint64_t state = 88172645463325252ULL;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const auto byte = static_cast<std::uint8_t>(state >> 24);
    calls[i] = static_cast<std::uint8_t>(byte | (byte & 0x55U) << 1);  // no call is unknown
    if (unknown && (state >> 40) % 25 == 0) calls[i] = static_cast<std::uint8_t>((calls[i] & 0xfcU) | 1U);
  }
  GenotypeScaling scaling;
  std::vector<std::size_t> all(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) all[mu] = mu;
  for (std::size_t l = 0; l < features; ++l) scaling.kept.push_back(l);
  scaling.centre.assign(features, 0.6);
  scaling.scale.assign(features, 1.3);
  const std::vector<std::uint32_t> missing(features, unknown ? 1 : 0);
  const auto design = shards.accelerator()->hold(std::make_unique<const GenotypeDesign>(
      GenotypeCalls{calls.data(), samples, features, row}, all, scaling, std::vector<double>(samples, 1), missing));
  time_products(*design, static_cast<double>(calls.size()));
  if (!std::getenv("DEVICE_BYTES") && shards.accelerator()->takes_ep(samples, features)) time_update(*design);
}

}  // namespace

int main(int argc, char** argv) {
  const cuda::CudaShards shards(static_cast<std::size_t>(peak("DEVICE_BYTES", 1e18)));
  for (int i = 1; i < argc; ++i) {
    char kind[16] = "";
    std::size_t samples = 0, features = 0;
    if (std::sscanf(argv[i], "%15[a-z]:%zux%zu", kind, &samples, &features) != 3) {
      std::fprintf(stderr, "%s: use dense:5000x20000, genotypes:500000x100000 or unknown:500000x100000\n", argv[i]);
      return 2;
    }
    std::printf("%s\n", argv[i]);
    if (std::strcmp(kind, "dense") == 0)
      run_dense(shards, samples, features);
    else
      run_genotypes(shards, samples, features, std::strcmp(kind, "unknown") == 0);
    std::fflush(stdout);
  }
}
