// How labels may be dealt anew to the samples where they have nothing to do with the features: sample mu gets the class
// and the covariates of sample source[mu], which stay together. Without groups: any order.
// With groups, whose samples are alike:
//   class and covariates constant within each group: a group gets those of another, whatever their sizes. This assumes
//     that sizes tell nothing; the classes' numbers of samples may change.
//   else: groups of one size are exchanged as wholes and, within each, its samples. That keeps how classes and
//     covariates are distributed over groups, and it is what a pair of one patient, ill and healthy tissue, needs:
//     pairs exchanged in their order would change nothing.
// Either is a group of permutations drawn from evenly, so that the rank of the observed labels is uniform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/random.hpp"

namespace cavity {

class Exchange {
 public:
  Exchange(std::span<const std::uint32_t> classes, const Matrix& covariates, const SampleGroups* groups);

  /// ln of the number of different labellings that may come.
  double log_labellings() const;

  std::vector<std::size_t> draw(Random random) const;

 private:
  std::span<const std::uint32_t> classes_;
  bool whole_ = true;                              // groups of any size are exchanged
  std::vector<std::vector<std::size_t>> members_;  // a group
  std::vector<std::vector<std::size_t>> sets_;     // groups that are exchanged with each other
};

}  // namespace cavity
