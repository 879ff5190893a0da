// What the feature that tells most says by itself: the largest correlation, over features and classes, of a feature
// with the labels, both cleared of the covariates,
//   max_l,k |x_l^T R e_k| / (|R x_l| |R e_k|),  e_k = R u_k in another order, u_k in {0, 1}, R the projection off Z.
// Cost: samples x features a labelling and a question.
#pragma once

#include <span>
#include <vector>

#include "assess/one_step.hpp"
#include "design/design.hpp"

namespace cavity {

/// A list: row mu of the table has the class and covariates of sample list[mu] (as in OneStep). The same bits for any
/// number of threads and whatever lists come with it; of all processes' features.
std::vector<double> strongest_feature(const Design& design, const Labelling& labelled,
                                      std::span<const std::vector<std::size_t>> sources, ThreadPool& pool);

}  // namespace cavity
