// What the targets share: an error of ours is a right answer, anything else that is thrown is a finding.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cavity/dataset.hpp"
#include "cavity/errors.hpp"
#include "data/compact_table.hpp"

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
  expect(d.features.rows > 0 && d.features.cols > 0);
  expect(d.features.values.size() == (d.compact ? 0 : d.features.rows * d.features.cols));
  if (d.compact) {
    expect(d.compact->samples() == d.features.rows && d.compact->features() == d.features.cols);
    const std::uint32_t last[] = {static_cast<std::uint32_t>(d.features.cols - 1)};
    expect(d.compact->dense(last).values.size() == d.features.rows);
  }
  expect(d.feature_names.size() == d.features.cols && d.sample_names.size() == d.features.rows);
  expect(d.labels.empty() || d.labels.size() == d.features.rows);
  for (const auto& covariate : d.covariates) expect(covariate.values.size() == d.features.rows);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cavity::fuzz
