#include "prepare/rewrite_rows.hpp"

#include <cmath>
#include <utility>

#include "prepare/row_blocks.hpp"
#include "prepare/transform.hpp"

namespace cavity {

void transform_rows(FeatureMatrix& values, std::span<const double> impute, Transform kind, ThreadPool& pool) {
  values.own();
  const RowTransform transform(kind, values.cols);
  pool.run(row_blocks(values.rows), [&](std::size_t block) {
    RowTransform mine = transform;
    for_rows(block, values.rows, [&](std::size_t i) {
      float* row = values.row(i);
      for (std::size_t l = 0; l < values.cols; ++l)
        if (std::isnan(row[l])) row[l] = static_cast<float>(impute[l]);
      mine({row, values.cols});
    });
  });
}

void keep_columns(FeatureTable& features, const std::vector<std::uint32_t>& kept) {
  if (kept.size() == features.cols()) return;
  FeatureMatrix& values = features.dense();
  if (values.borrowed) values.values.resize(values.rows * kept.size());
  for (std::size_t i = 0; i < values.rows; ++i) {
    const float* from = std::as_const(values).row(i);
    float* to = values.values.data() + i * kept.size();
    for (std::size_t j = 0; j < kept.size(); ++j) to[j] = from[kept[j]];
  }
  values.cols = kept.size();
  values.values.resize(values.rows * values.cols);
  values.give_back();
}

}  // namespace cavity
