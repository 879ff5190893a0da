// svmlight lines, for fitting and for prediction.
#include "data/svmlight.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  cavity::fuzz::limit_memory();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  // A large index makes a large matrix, rightly: keep it small, so that executions are fast.
  const std::string_view text = fuzz::text_of(data, size);
  for (std::size_t i = 0, digits = 0; i < text.size(); ++i) {
    digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
    if (digits > 4 && digits < 10) return -1;
  }
  const data::Bytes bytes = data::copy_bytes(text);
  const ReadOptions options{.labels_required = size % 2 == 0};
  fuzz::expect_answer([&] { fuzz::expect_whole(data::read_svmlight(bytes, "f", options)); });
  return 0;
}
