// The preprocessed matrix on the device, x_mu,l = r_mu s_l (value_mu,l - c_l), whatever its values' form. The values
// stay as compact as they came; panels of them are written out in double where matrix products want them.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/device.hpp"
#include "cuda/device_array.hpp"
#include "design/design.hpp"

namespace cavity::cuda {

class DeviceValues {
 public:
  virtual ~DeviceValues() = default;
  virtual std::size_t samples() const = 0;
  virtual std::size_t features() const = 0;
  /// Whether all of it is there; if not there are only products.
  virtual bool resident() const = 0;
  /// Whether panels of all of it are written in the time of a few products.
  virtual bool cheap_panels() const = 0;

  /// Factors on the device, one a sample and one a feature, beside the matrix's own.
  struct Factors {
    const double *sample, *feature;
  };
  /// out[mu*count + j] = factors x_mu,first+j for j below count; the features' factors are those from `first` on.
  virtual void write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const = 0;
  /// out[j*samples + mu] = factors x_mu,which[j], the features' factors one of `which`, which is on the device.
  virtual void write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const = 0;

  /// As the design's; the second of the two may be empty.
  virtual void times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision,
                     ThreadPool& pool) const = 0;
  virtual void transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision,
                               ThreadPool& pool) const = 0;
};

}  // namespace cavity::cuda
