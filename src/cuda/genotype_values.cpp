#include "cuda/genotype_values.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace cavity::cuda {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 28;

bool all_in_order(const std::vector<std::size_t>& used, std::size_t samples) {
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] != i) return false;
  return used.size() == samples;
}

/// Variants of which both forms have room; those by samples come in lines of many.
std::size_t variants_within(std::size_t bytes, std::size_t samples, std::size_t features) {
  if (GenotypeValues::bytes(samples, features) <= bytes) return features;
  const std::size_t line = GenotypeValues::bytes(samples, line_calls);
  return bytes / line * line_calls;
}

}  // namespace

std::size_t GenotypeValues::bytes(std::size_t samples, std::size_t features) {
  return CallPlanes{nullptr, features, samples}.size() + CallPlanes{nullptr, samples, features}.size();
}

GenotypeValues::GenotypeValues(const Device& device, const GenotypeDesign& host, std::size_t most_bytes,
                               ThreadPool& pool)
    : device_(device),
      host_(host),
      samples_(host.samples()),
      features_(host.features()),
      resident_(variants_within(most_bytes, samples_, features_)),
      planes_(std::ranges::any_of(host.has_missing(), [](auto m) { return m != 0; }) ? 3 : 2),
      in_order_(all_in_order(host.used(), host.calls().samples)),
      by_variant_(by_variant(resident_, nullptr).size(), device.stream()),
      by_sample_(by_sample(resident_, nullptr).size(), device.stream()),
      centre_(host.scaling().centre, device.stream()),
      scale_(host.scaling().scale, device.stream()),
      row_scale_(host.row_scale(), device.stream()) {
  by_variant_.clear();  // the padding, too, is read
  by_sample_.clear();
  const std::size_t batch = block_variants();
  BlockStream copies(device, batch * row_bytes());
  copies.run((resident_ + batch - 1) / batch,
             [&](std::size_t block, std::byte* to) {
               return pack(block * batch, std::min(batch, resident_ - block * batch), to, pool);
             },
             [&](std::size_t block, const std::byte* codes) {
               const std::size_t first = block * batch, count = std::min(batch, resident_ - first);
               planes_of_codes(reinterpret_cast<const std::uint8_t*>(codes), by_variant(count, nullptr),
                               by_variant_.data() + by_variant(resident_, nullptr).place(first, 0), device.stream());
             });
  if (resident_ > 0) transpose_calls(by_variant(resident_, by_variant_.data()), by_sample_.data(), device.stream());
  device.wait();
  if (!resident()) others_ = std::make_unique<BlockStream>(device, batch * row_bytes());
}

std::size_t GenotypeValues::block_variants() const {
  return std::max<std::size_t>(block_bytes / row_bytes() / tile_rows, 1) * tile_rows;
}

// PLINK's codes of the samples that are used, in rows of the device's length.
std::size_t GenotypeValues::pack(std::size_t first, std::size_t count, std::byte* to, ThreadPool& pool) const {
  const GenotypeCalls& calls = host_.calls();
  const std::size_t row = row_bytes();
  pool.run(count, [&](std::size_t i) {
    const std::size_t variant = host_.scaling().kept[first + i];
    auto* out = reinterpret_cast<std::uint8_t*>(to + i * row);
    if (in_order_) {
      std::copy_n(calls.row(variant), calls.bytes_per_variant, out);
      return;
    }
    std::memset(out, 0, row);
    for (std::size_t mu = 0; mu < samples_; ++mu)
      out[mu / 4] = static_cast<std::uint8_t>(out[mu / 4] | calls.code(variant, host_.used()[mu]) << (2 * (mu % 4)));
  });
  return count * row;
}

void GenotypeValues::for_others(const UseVariants& use, ThreadPool& pool) const {
  if (!others_) return;
  const std::size_t batch = block_variants(), left = features_ - resident_;
  const auto count_of = [&](std::size_t block) { return std::min(batch, left - block * batch); };
  DeviceArray<std::uint8_t> planes(by_variant(batch, nullptr).size(), device_.stream());
  planes.clear();
  others_->run(
      (left + batch - 1) / batch,
      [&](std::size_t block, std::byte* to) { return pack(resident_ + block * batch, count_of(block), to, pool); },
      [&](std::size_t block, const std::byte* codes) {
        const CallPlanes shape = by_variant(count_of(block), planes.data());
        planes_of_codes(reinterpret_cast<const std::uint8_t*>(codes), shape, planes.data(), device_.stream());
        use(resident_ + block * batch, shape);
      });
}

void GenotypeValues::write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const {
  write_call_panel(by_sample(features_, by_sample_.data()), scaling(), first, count, factors.sample, factors.feature,
                   out, device_.stream());
}

void GenotypeValues::write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const {
  write_call_columns(by_variant(features_, by_variant_.data()), scaling(), which, count, factors.sample,
                     factors.feature, out, device_.stream());
}

struct GenotypeValues::Kind {
  DeviceArray<double> base;
  DeviceArray<WeightScale> scale;
  WeightSource source;
  Slots slots;
  DeviceArray<double> out;
  std::span<double> to;
};

struct GenotypeValues::Pass {
  std::vector<Kind> kinds;
  DeviceArray<long long> sums;
};

// Two kinds share a rough pass; otherwise each has both slots of its own.
std::vector<GenotypeValues::Pass> GenotypeValues::passes(const Design::TwoWeights& weights,
                                                         const Design::TwoProducts& out, bool along_features,
                                                         Precision precision, ThreadPool& pool) const {
  const cudaStream_t stream = device_.stream();
  const bool both = !weights.squared.empty(), shared = both && precision == Precision::rough;
  std::vector<Pass> made;
  for (const bool squared : {false, true}) {
    if (squared && !both) break;
    const auto from = squared ? weights.squared : weights.plain;
    const auto to = squared ? out.squared : out.plain;
    Kind kind{DeviceArray<double>(from.size(), stream),           DeviceArray<WeightScale>(1, stream),    {},
              shared ? Slots{squared ? 1U : 0U, 1} : Slots{0, 2}, DeviceArray<double>(to.size(), stream), to};
    device_.link().send(from, kind.base.data(), stream, pool);
    kind.scale.clear();
    kind.source = along_features ? WeightSource{kind.base.data(), scale_.data(), centre_.data(), squared}
                                 : WeightSource{kind.base.data(), row_scale_.data(), nullptr, squared};
    find_largest(kind.source, from.size(), kind.scale.data(), stream);
    if (made.empty() || !shared) {
      made.emplace_back();
      made.back().sums = DeviceArray<long long>(to.size() * (along_features ? 1 : planes_) * slot_count, stream);
      made.back().sums.clear();
    }
    made.back().kinds.push_back(std::move(kind));
  }
  return made;
}

// X v: along the features, whose weights know their centres; block by block the sums go on.
void GenotypeValues::times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision,
                           ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  const cudaStream_t stream = device_.stream();
  std::vector<Pass> passes = this->passes(v, out, true, precision, pool);
  const auto add = [&](std::size_t first, const CallPlanes& samples) {
    DeviceArray<std::uint32_t> bits(bit_bytes(samples.calls, true, planes_) / sizeof(std::uint32_t), stream);
    for (Pass& pass : passes) {
      for (Kind& kind : pass.kinds) {
        const WeightSource& all = kind.source;
        write_bits({all.base + first, all.scale + first, all.centre + first, all.squared}, samples.calls, planes_,
                   kind.slots, bits.data(), kind.scale.data(), stream);
      }
      multiply_calls(samples, {true, planes_, bits.data()}, pass.sums.data(), stream);
    }
  };
  if (resident_ > 0) add(0, by_sample(resident_, by_sample_.data()));
  for_others(
      [&](std::size_t first, const CallPlanes& variants) {
        DeviceArray<std::uint8_t> turned(by_sample(variants.rows, nullptr).size(), stream);
        turned.clear();
        transpose_calls(variants, turned.data(), stream);
        add(first, by_sample(variants.rows, turned.data()));
      },
      pool);
  finish(passes, {true, planes_, nullptr}, samples_, {row_scale_.data(), nullptr}, pool);
}

// X^T u: along the samples; every block of variants has sums of its own.
void GenotypeValues::transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision,
                                     ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  const cudaStream_t stream = device_.stream();
  std::vector<Pass> passes = this->passes(u, out, false, precision, pool);
  std::vector<DeviceArray<std::uint32_t>> bits;
  for (Pass& pass : passes) {
    bits.emplace_back(bit_bytes(samples_, false, planes_) / sizeof(std::uint32_t), stream);
    for (Kind& kind : pass.kinds)
      write_bits(kind.source, samples_, planes_, kind.slots, bits.back().data(), kind.scale.data(), stream);
  }
  const auto add = [&](std::size_t first, const CallPlanes& variants) {
    for (std::size_t i = 0; i < passes.size(); ++i)
      multiply_calls(variants, {false, planes_, bits[i].data()}, passes[i].sums.data() + first * planes_ * slot_count,
                     stream);
  };
  if (resident_ > 0) add(0, by_variant(resident_, by_variant_.data()));
  for_others(add, pool);
  finish(passes, {false, planes_, nullptr}, features_, {scale_.data(), centre_.data()}, pool);
}

void GenotypeValues::finish(std::vector<Pass>& passes, const CallProduct& product, std::size_t rows,
                            const RowFactors& factors, ThreadPool& pool) const {
  const cudaStream_t stream = device_.stream();
  for (Pass& pass : passes)
    for (Kind& kind : pass.kinds) {
      const CallFinish how{product, kind.slots, kind.scale.data(), factors.factor, factors.centre, kind.source.squared};
      finish_calls(pass.sums.data(), rows, how, kind.out.data(), stream);
      device_.link().fetch(kind.out.data(), kind.to, stream);
    }
  device_.link().finish(stream, pool);
}

}  // namespace cavity::cuda
