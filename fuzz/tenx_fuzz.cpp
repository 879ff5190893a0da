// The three files of 10x Genomics: features, barcodes and the matrix, NUL between them.
#include <utility>

#include "fuzzing.hpp"
#include "read/tenx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  std::string_view rest = fuzz::text_of(data, size);
  const auto next = [&] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  Bytes features = copy_bytes(next()), barcodes = copy_bytes(next());
  ReadOptions options{.labels_required = false};
  options.threads = 1;
  fuzz::expect_answer([&] {
    fuzz::expect_whole(tenx_from_bytes({copy_bytes(rest), std::move(features), std::move(barcodes)},
                                       {"matrix.mtx", "features.tsv", "barcodes.tsv"}, options));
  });
  return 0;
}
