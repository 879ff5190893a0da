// A design whose products, and EP's joint Gaussian, are done on the device. Single columns come from the host's.
#pragma once

#include <memory>

#include "cuda/device_values.hpp"
#include "infer/joint_gaussian.hpp"

namespace cavity::cuda {

/// Features of a panel: its products are large enough to be fast, and small beside the samples x samples matrices; all
/// panels are of much the same width.
inline constexpr std::size_t panel_features = 8192;
std::size_t panel_width(std::size_t features);

class DeviceDesign final : public Design, public GaussianOffer {
 public:
  /// `device` and `shards` must outlive this.
  DeviceDesign(const Device& device, const Shards& shards, std::unique_ptr<const Design> host,
               std::unique_ptr<const DeviceValues> values);

  std::size_t samples() const override { return host_->samples(); }
  std::size_t features() const override { return host_->features(); }
  const Shards& shards() const override { return shards_; }
  bool even() const override { return host_->even(); }
  void columns(std::span<const std::size_t> which, Matrix& out) const override { host_->columns(which, out); }
  std::unique_ptr<GaussianForm> gaussian(const Problem& problem, ThreadPool& pool) const override;
  void sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                  std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const override;

 private:
  /// IoError in numbers where the matrix is not there.
  void require_resident() const;
  void products_of_many(std::span<const std::span<const double>> v, std::span<double> products, ThreadPool& pool) const;
  void messages_of_many(std::span<const double> reactions, std::span<const std::span<double>> out,
                        ThreadPool& pool) const;
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  void do_times_both(const TwoWeights& v, const TwoProducts& out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision precision,
                               ThreadPool& pool) const override;
  void do_gram(std::span<const double> t, Matrix& out, Precision, ThreadPool&) const override;
  void do_quadratic(const Matrix& w, std::span<double> out, Precision, ThreadPool&) const override;

  const Device& device_;
  const Shards& shards_;
  std::unique_ptr<const Design> host_;
  std::unique_ptr<const DeviceValues> values_;
};

/// out = scale Y diag(t) Y^T + keep out in the lower triangle, Y = diag(row) X; `root`: sqrt(t) on the device.
struct GramScale {
  double scale = 1, keep = 0;
};
void device_gram(const Device& device, const DeviceValues& values, const double* row, const double* root, double* out,
                 const GramScale& by = {});

}  // namespace cavity::cuda
