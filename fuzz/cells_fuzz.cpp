// HDF5: .h5ad and 10x .h5.
#include "fuzzing.hpp"
#include "read/dataset_from_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  ReadOptions options{.labels_required = size % 2 == 0, .compact = size % 3 == 0};
  if (size % 5 == 0) options.layer = "raw";
  const std::string_view bytes = fuzz::text_of(data, size);
  if (!bytes.starts_with("\x89HDF\r\n\x1a\n")) return 0;
  fuzz::expect_answer([&] { fuzz::expect_whole(dataset_from_bytes(copy_bytes(bytes), "f", options)); });
  return 0;
}
