// Many sweeps as two products of matrices: some features at a time are written out in double and multiplied with all
// models at once. That moves five times the bytes of one pass, for all of them.
#include <algorithm>

#include "cuda/device_design.hpp"

namespace cavity::cuda {

namespace {

/// The whole matrix, panel by panel: use(first feature, features, panel), the panel as write_panel leaves it.
template <class Use>
void for_panels(const Device& device, const DeviceValues& values, const Use& use) {
  const std::size_t samples = values.samples(), features = values.features(), width = panel_width(features);
  const DeviceArray<double> ones(std::vector<double>(std::max(samples, width), 1.0), device.stream());
  DeviceArray<double> panel(samples * width, device.stream());
  for (std::size_t first = 0; first < features; first += width) {
    const std::size_t count = std::min(width, features - first);
    values.write_panel(first, count, {ones.data(), ones.data()}, panel.data());
    use(first, static_cast<int>(count), panel.data());
  }
}

}  // namespace

// Both keep the layout of the reactions: a row a sample, a column a model.
void DeviceDesign::products_of_many(std::span<const std::span<const double>> v, std::span<double> products,
                                    ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  const int models = static_cast<int>(v.size()), m = static_cast<int>(samples()), n = static_cast<int>(features());
  DeviceArray<double> weights(v.size() * features(), device_.stream()), out(products.size(), device_.stream());
  for (std::size_t k = 0; k < v.size(); ++k)
    device_.link().send(v[k], weights.data() + k * features(), device_.stream(), pool);
  for_panels(device_, *values_, [&](std::size_t first, int count, const double* panel) {
    device_.libraries().multiply({models, m, count}, 1, {weights.data() + first, n, Transposed::yes}, {panel, count},
                                 first == 0 ? 0 : 1, {out.data(), models});
  });
  device_.link().fetch(out.data(), products, device_.stream());
  device_.link().finish(device_.stream(), pool);
}

void DeviceDesign::messages_of_many(std::span<const double> reactions, std::span<const std::span<double>> out,
                                    ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  const int models = static_cast<int>(out.size()), m = static_cast<int>(samples()), n = static_cast<int>(features());
  DeviceArray<double> given(reactions.size(), device_.stream()), made(out.size() * features(), device_.stream());
  device_.link().send(reactions, given.data(), device_.stream(), pool);
  for_panels(device_, *values_, [&](std::size_t first, int count, const double* panel) {
    device_.libraries().multiply({count, models, m}, 1, {panel, count}, {given.data(), models, Transposed::yes}, 0,
                                 {made.data() + first, n});
  });
  for (std::size_t k = 0; k < out.size(); ++k)
    device_.link().fetch(made.data() + k * features(), out[k], device_.stream());
  device_.link().finish(device_.stream(), pool);
}

void DeviceDesign::sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                              std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const {
  if (!values_->resident() || !values_->cheap_panels()) return Design::sweep_many(v, react, out, scratch, pool);
  check(out.size(), v.size(), "outputs");
  const std::size_t m = samples(), models = v.size();
  double* products = scratch.doubles(2 * m * models);
  double* reactions = products + m * models;
  products_of_many(v, {products, m * models}, pool);
  constexpr std::size_t group = 256;  // samples
  pool.run((m + group - 1) / group, [&](std::size_t block) {
    const std::size_t first = block * group, at = first * models;
    react({first, std::min(group, m - first), models}, products + at, reactions + at);
  });
  messages_of_many({reactions, m * models}, out, pool);
}

}  // namespace cavity::cuda
