// A Matrix Market file: a coordinate matrix as text, for prediction (labels are a file of their own, and a target of
// their own); dense and in its own form.
#include <algorithm>
#include <span>

#include "cavity/read.hpp"
#include "fuzzing.hpp"
#include "read/matrix_market.hpp"
#include "table/table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  const Bytes bytes = copy_bytes(fuzz::text_of(data, size));
  ReadOptions options{.labels_required = false, .compact = size % 2 == 0};
  if (size % 3 == 0) options.expected_features = {"x1", "x2"};  // may turn the matrix
  fuzz::expect_answer([&] {
    const Dataset d = read_matrix_market(bytes, "f", options);
    if (d.features.is_dense()) return fuzz::expect_whole(d);
    fuzz::expect(d.features.rows() > 0 && d.features.cols() > 0);
    fuzz::expect(d.feature_names.size() == d.features.cols() && d.sample_names.size() == d.features.rows());
    const std::uint32_t first = 0;
    fuzz::expect(d.features.table().dense(std::span(&first, 1)).values.size() == d.features.rows());
  });
  return 0;
}
