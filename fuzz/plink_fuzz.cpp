// A PLINK fileset: .fam, .bim and .bed one after the other, NUL between them.
#include <algorithm>

#include "fuzzing.hpp"
#include "read/plink.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cavity;
  std::string_view rest = fuzz::text_of(data, size);
  const auto next = [&] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  const Bytes fam = copy_bytes(next()), bim = copy_bytes(next());
  fuzz::expect_answer([&] {
    const Plink plink = plink_from_bytes({fam, bim, rest}, {"g.bed", "g.bim", "g.fam"});
    fuzz::expect(plink.samples > 0 && plink.variants > 0 && 4 * plink.bytes_per_variant >= plink.samples);
    fuzz::expect(plink.packed + plink.variants * plink.bytes_per_variant ==
                 reinterpret_cast<const std::uint8_t*>(rest.data()) + rest.size());
    fuzz::expect(plink.sample_names.size() == plink.samples && plink.phenotypes.size() == plink.samples);
    std::vector<std::string> names = plink.variant_names;
    std::sort(names.begin(), names.end());
    fuzz::expect(names.size() == plink.variants && std::adjacent_find(names.begin(), names.end()) == names.end());
  });
  return 0;
}
