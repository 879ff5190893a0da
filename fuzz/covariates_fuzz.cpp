// Columns that are always kept: encoded on the first half of the lines, applied to the second.
#include <cmath>

#include "fuzzing.hpp"
#include "prepare/covariates.hpp"

namespace {

std::vector<cavity::CovariateColumn> columns_of(std::string_view text, std::size_t columns) {
  std::vector<cavity::CovariateColumn> out(columns);
  for (std::size_t j = 0; j < columns; ++j) out[j].name = "c" + std::to_string(j);
  for (std::size_t at = 0, j = 0; at < text.size(); ++j) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out[j % columns].values.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::size_t rows = out.back().values.size();
  for (auto& column : out) column.values.resize(rows);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t columns = 1 + size % 3;
  const auto known = columns_of(text.substr(0, size / 2), columns), fresh = columns_of(text.substr(size / 2), columns);
  fuzz::expect_answer([&] {
    const EncodedCovariates encoded = encode_covariates(known, known[0].values.size());
    for (const float value : encoded.values.values) fuzz::expect(std::isfinite(value));
    const FeatureMatrix applied = apply_covariates(encoded.encodings, fresh, fresh[0].values.size());
    fuzz::expect(applied.cols == encoded.encodings.size() && applied.rows == fresh[0].values.size());
  });
  return 0;
}
