// What the targets share: an error of ours is a right answer, anything else that is thrown is a finding.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cavity/dataset.hpp"
#include "cavity/errors.hpp"
#include "table/table.hpp"

namespace cavity::fuzz {

template <class Read>
void expect_answer(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (std::string_view(error.what()).size() < 10) std::abort();  // refused without saying why
  }
}

inline void expect(bool holds) {
  if (!holds) std::abort();
}

inline void expect_whole(const Dataset& d) {
  const std::size_t rows = d.features.rows(), cols = d.features.cols();
  expect(rows > 0 && cols > 0);
  if (d.features.is_dense()) expect(d.features.dense().values.size() == rows * cols);
  const std::uint32_t last[] = {static_cast<std::uint32_t>(cols - 1)};
  expect(d.features.table().dense(last).values.size() == rows);
  expect(d.feature_names.size() == cols && d.sample_names.size() == rows);
  expect(d.classes.empty() || d.classes.size() == rows);
  for (const auto& covariate : d.covariates) expect(covariate.values.size() == rows);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cavity::fuzz
