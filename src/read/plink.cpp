#include "read/plink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/labels.hpp"

namespace cavity {

using namespace std::string_view_literals;

namespace {

constexpr std::string_view magic = "\x6c\x1b"sv;
constexpr std::size_t header = 3;  // magic and mode
constexpr std::size_t columns = 6;
using Fields = std::array<std::string_view, columns>;
struct Line {
  Fields fields;
  std::size_t number;
};

/// The lines that are not blank; `names` of the columns and `what` a line is, for messages.
std::vector<Line> read_lines(const Bytes& bytes, const std::string& path, const char* names, const char* what) {
  std::string_view rest = bytes.view();
  std::vector<Line> lines;
  reject_nul(rest, 0, path);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    Fields fields;
    std::size_t count = 0, cursor = 0;
    for (; count < columns; ++count) {
      const std::size_t begin = line.find_first_not_of(" \t\r", cursor);
      if (begin == std::string_view::npos) break;
      cursor = std::min(line.find_first_of(" \t\r", begin), line.size());
      fields[count] = line.substr(begin, cursor - begin);
    }
    if (count == columns) {
      lines.push_back({fields, number});
    } else if (count > 0) {
      throw InputError(
          fmt::format("{}, line {}: {} column{} where six are needed ({}): {}; write the fileset again "
                      "with plink --make-bed",
                      path, number, count, count == 1 ? "" : "s", names, shown(line)));
    }
  }
  if (lines.empty())
    throw InputError(
        fmt::format("{}: no {} (the file is empty); write the fileset again with plink --make-bed", path, what));
  return lines;
}

bool is_missing(std::string_view phenotype) {
  const Value value = read_value(phenotype);
  return value.kind == Kind::missing || (value.kind == Kind::number && (value.number == -9 || value.number == 0));
}

std::vector<std::string> phenotypes_of(const std::vector<Line>& lines, const std::string& path) {
  std::vector<std::string> phenotypes;
  std::set<std::string> distinct;
  for (const auto& [fields, number] : lines) {
    phenotypes.push_back(is_missing(fields[5]) ? std::string() : std::string(fields[5]));
    if (!phenotypes.back().empty()) distinct.insert(class_of(phenotypes.back()));
    if (distinct.size() > 2) {
      throw InputError(fmt::format(
          "{}, line {}, column 6: {} is a third phenotype beside {}: this is a quantity, and a classifier "
          "needs two classes; give a file of labels",
          path, number, shown(fields[5]), shown_names(std::vector<std::string>(distinct.begin(), distinct.end()), 3)));
    }
  }
  return phenotypes;
}

std::vector<std::string> sample_names_of(const std::vector<Line>& lines, const std::string& path) {
  std::unordered_set<std::string_view> ids;
  bool repeated = false;
  for (const auto& line : lines) repeated |= !ids.insert(line.fields[1]).second;
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const auto& [fields, number] : lines) {
    names.push_back(repeated ? fmt::format("{}:{}", fields[0], fields[1]) : std::string(fields[1]));
    if (repeated && !seen.insert(names.back()).second) {
      throw InputError(fmt::format("{}, line {}: a second sample with family {} and id {}; give each its own", path,
                                   number, shown(fields[0]), shown(fields[1])));
    }
  }
  return names;
}

std::vector<std::string> variant_names_of(const std::vector<Line>& lines) {
  std::unordered_map<std::string_view, std::size_t> uses;
  for (const auto& line : lines) ++uses[line.fields[1]];
  const auto own = [&](const Fields& fields) { return fields[1] != "." && uses[fields[1]] == 1; };
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, std::size_t> last;  // number given to a place
  for (const auto& line : lines) {
    const Fields& fields = line.fields;
    if (own(fields)) {
      names.emplace_back(fields[1]);
      continue;
    }
    const std::string place = fmt::format("{}:{}:{}:{}", fields[0], fields[3], fields[4], fields[5]);
    std::string name = place;
    const auto free = [&] {
      const auto other = uses.find(name);
      return (other == uses.end() || other->second != 1) && taken.insert(name).second;
    };
    std::size_t& number = last.try_emplace(place, 1).first->second;  // not from 2 again: that would be quadratic
    while (!free()) name = fmt::format("{}_{}", place, ++number);
    names.push_back(std::move(name));
  }
  return names;
}

/// What the size of the .bed says when it is not what the other two say.
std::string implied(std::size_t calls, const Plink& plink) {
  if (calls % plink.bytes_per_variant == 0)
    return fmt::format("it would fit {} variants of these samples", calls / plink.bytes_per_variant);
  if (calls % plink.variants == 0) {
    const std::size_t bytes = calls / plink.variants;
    return fmt::format("it would fit {} to {} samples with these variants", 4 * bytes - 3, 4 * bytes);
  }
  return "it fits neither a whole number of variants of these samples nor of samples with these variants";
}

/// A .fam that lacks up to three lines fits the size of the .bed; but what follows a variant's last call is zero.
void check_padding(std::string_view bytes, const Plink& plink, const PlinkFiles& files) {
  constexpr std::size_t enough = 1000;  // variants: among so many one has a call there that is not 00
  if (plink.samples % 4 == 0) return;
  for (std::size_t l = 0; l < std::min(plink.variants, enough); ++l) {
    const auto last = static_cast<unsigned char>(bytes[header + (l + 1) * plink.bytes_per_variant - 1]);
    if (last >> (2 * (plink.samples % 4)) == 0) continue;
    throw InputError(fmt::format(
        "{}: variant {} has calls beyond the last of the {} samples in {}, which seems to lack a line; copy the three "
        "files again, from one fileset, or write them again with plink --make-bed",
        files.bed, l + 1, plink.samples, files.fam));
  }
}

void check_bed(std::string_view bytes, const Plink& plink, const PlinkFiles& files) {
  if (bytes.size() < header) {
    throw InputError(fmt::format("{}: {}; write it again with plink --make-bed", files.bed,
                                 bytes.empty() ? "the file is empty" : "no calls (less than three bytes)"));
  }
  if (!bytes.starts_with(magic)) {
    throw InputError(fmt::format("{}: starts with {}, a PLINK 1 .bed with '\\x6c\\x1b'; write it with plink --make-bed",
                                 files.bed, shown(bytes.substr(0, 3))));
  }
  if (bytes[2] == 0) {
    throw InputError(
        fmt::format("{}: a sample-major .bed (its third byte is 0); write it variant by variant with plink "
                    "--make-bed",
                    files.bed));
  }
  if (bytes[2] != 1) {
    throw InputError(
        fmt::format("{}: its third byte is {}, where 1 says variant by variant; write it with plink --make-bed",
                    files.bed, shown(bytes.substr(2, 1))));
  }
  const std::size_t expected = header + plink.variants * plink.bytes_per_variant;
  if (bytes.size() == expected) return check_padding(bytes, plink, files);
  const bool short_of = bytes.size() < expected;
  const std::size_t by = short_of ? expected - bytes.size() : bytes.size() - expected;
  throw InputError(fmt::format(
      "{}: {} by {} byte{}: {} samples ({}) x {} variants ({}) need {} bytes and it has {}; {}. Copy the three files "
      "again, from one fileset",
      files.bed, short_of ? "cut short" : "too long", by, by == 1 ? "" : "s", plink.samples, files.fam, plink.variants,
      files.bim, expected, bytes.size(), implied(bytes.size() - header, plink)));
}

}  // namespace

PlinkFiles plink_files(const std::string& path) {
  std::string prefix = path;
  for (const auto ending : {".bed"sv, ".bim"sv, ".fam"sv})
    if (path.size() > ending.size() && path.ends_with(ending)) prefix = path.substr(0, path.size() - ending.size());
  return {prefix + ".bed", prefix + ".bim", prefix + ".fam"};
}

Plink plink_from_bytes(const PlinkBytes& bytes, const PlinkFiles& names) {
  Plink plink{};
  {
    const auto lines = read_lines(bytes.fam, names.fam, "family, id, father, mother, sex, phenotype", "samples");
    plink.samples = lines.size();
    plink.sample_names = sample_names_of(lines, names.fam);
    plink.phenotypes = phenotypes_of(lines, names.fam);
    for (const auto& line : lines)
      plink.families.emplace_back(line.fields[0] == "0" ? std::string_view() : line.fields[0]);
  }
  const auto lines = read_lines(bytes.bim, names.bim, "chromosome, id, centimorgans, position, A1, A2", "variants");
  plink.variants = lines.size();
  plink.bytes_per_variant = (plink.samples + 3) / 4;
  check_bed(bytes.bed, plink, names);
  plink.variant_names = variant_names_of(lines);  // not for files that do not belong together: they take most memory
  plink.packed = reinterpret_cast<const std::uint8_t*>(bytes.bed.data()) + header;
  return plink;
}

Plink read_plink(const PlinkFiles& files) {
  const Bytes fam = read_bytes(files.fam), bim = read_bytes(files.bim);
  auto bed = std::make_shared<const MappedFile>(files.bed);
  Plink plink = plink_from_bytes({fam, bim, bed->bytes()}, files);
  bed->advise_repeated();
  plink.bed = std::move(bed);
  return plink;
}

}  // namespace cavity
