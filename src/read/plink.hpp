// PLINK 1 binary filesets: .bed (two bits a call, a variant after the other), .bim (variants), .fam (samples).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "file/bytes.hpp"
#include "file/mapped_file.hpp"

namespace cavity {

struct PlinkFiles {
  std::string bed, bim, fam;
};

/// From the path of any of the three, or from what they have in common.
PlinkFiles plink_files(const std::string& path);

struct Plink {
  /// The variant's id; where that is "." or repeated chromosome:position:A1:A2, numbered should that repeat too.
  std::vector<std::string> variant_names;
  std::vector<std::string> sample_names;  // within-family ids, or family:id where these repeat
  std::vector<std::string> families;      // "" for 0, which is none
  /// The .fam's sixth column as text, "" where missing (-9, 0, NA). PLINK codes controls 1 and cases 2.
  std::vector<std::string> phenotypes;
  std::shared_ptr<const MappedFile> bed;
  const std::uint8_t* packed;  // in `bed`: variants x bytes_per_variant
  std::size_t samples, variants, bytes_per_variant;
};

/// Maps the .bed and reads the other two. Throws InputError where they contradict each other or the format, and for a
/// phenotype of more than two values.
Plink read_plink(const PlinkFiles& files);

/// The same for bytes that are here already, which `packed` then points into; `names` are for messages.
struct PlinkBytes {
  const Bytes &fam, &bim;
  std::string_view bed;
};
Plink plink_from_bytes(const PlinkBytes& bytes, const PlinkFiles& names);

}  // namespace cavity
