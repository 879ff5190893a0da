// Checkpoints of a fit and finished halves, as they are and with length and checksum put right: what is resumed has the
// sizes of the fit.
#include "fit/half_log.hpp"
#include "fuzzing.hpp"
#include "own_file.hpp"
#include "search/checkpoint.hpp"
#include "support/model_bytes.hpp"
#include "support/resumed_files.hpp"

namespace {

using namespace cavity;

void resume(std::string_view bytes) {
  fuzz::own_file(bytes);
  fuzz::expect_answer([] {
    Checkpoint checkpoint({fuzz::own_path(), 60, true}, test::small_identity(), test::small_sizes, Shards::whole());
    for (std::size_t cell = 0; cell < test::small_sizes.cells; ++cell) {
      Posterior p;
      EpState s;
      if (!checkpoint.restore(cell, p, &s) || p.status == Status::not_visited) continue;
      fuzz::expect(p.inclusion.size() == test::small_sizes.features && p.mean.size() == p.inclusion.size());
      fuzz::expect(p.cavity_mean.size() == test::small_sizes.samples);
      fuzz::expect(s.density == 0 || (s.linear.size() == test::small_sizes.features && s.mean.size() == 3));
    }
  });
}

void resume_halves(std::string_view bytes) {
  const std::string path = fuzz::own_path() + ".halves";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  fuzz::expect_answer([] {
    const HalfLog halves({fuzz::own_path(), 60, true}, test::small_run, test::small_sizes.features);
    for (std::size_t half = 0; half < 8; ++half)
      if (const auto found = halves.find(half); found && *found)
        for (const double inclusion : **found) fuzz::expect(inclusion >= 0 && inclusion <= 1);
  });
  ::unlink(path.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const auto both = [](std::string_view file) {
    resume(file);
    resume_halves(file);
  };
  both(bytes);
  if (size >= sizeof(FileStart) + checksum_size) both(test::sealed(std::string(bytes)));
  return 0;
}
