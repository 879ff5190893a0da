// A place other than main memory where products with the matrix are cheap. A front end that has one says so by its
// Shards; the rooms below the front end know no more of it than this.
#pragma once

#include <memory>

#include "design/dense_design.hpp"
#include "design/genotype_design.hpp"

namespace cavity {

class Accelerator {
 public:
  virtual ~Accelerator() = default;

  /// The same matrix with its products there, and EP's joint Gaussian where that pays. `host` itself where the
  /// accelerator has nothing to offer. IoError where it does not fit.
  virtual std::unique_ptr<const Design> hold(std::unique_ptr<const DenseDesign> host) const = 0;
  virtual std::unique_ptr<const Design> hold(std::unique_ptr<const GenotypeDesign> host) const = 0;

  /// Whether EP fits, the matrix included, and is done in reasonable time; the rule in words.
  virtual bool takes_ep(std::size_t samples, std::size_t features) const = 0;
  virtual std::string ep_rule() const = 0;
};

}  // namespace cavity
