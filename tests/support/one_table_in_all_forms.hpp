// The same small table of rare genotypes, written in every form that cavity reads.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/random.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

struct GenotypeText {
  std::size_t samples, variants;
  std::vector<int> copies;  // samples x variants; -1: missing
  std::vector<int> labels;  // 1 control, 2 case

  int at(std::size_t mu, std::size_t l) const { return copies[mu * variants + l]; }
};

/// Rare alleles, so that the sparse form pays; the first variants push towards the cases. Half of the calls of the
/// last variant are missing where `missing` says so.
inline GenotypeText rare_genotypes(std::size_t samples, std::size_t variants, bool missing, std::uint64_t seed = 1) {
  GenotypeText out{samples, variants, std::vector<int>(samples * variants), std::vector<int>(samples)};
  Random random(seed);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double push = random.normal();
    for (std::size_t l = 0; l < variants; ++l) {
      const double frequency = l < 5 ? 0.2 : 0.02;
      int& copies = out.copies[mu * variants + l];
      copies = (random.uniform() < frequency) + (random.uniform() < frequency);
      if (l < 5) push += 2 * (copies - 0.4);
    }
    if (missing && mu % 2 == 0) out.copies[mu * variants + variants - 1] = -1;
    out.labels[mu] = push > 0 ? 2 : 1;
  }
  return out;
}

/// Paths of the table in each form, in one folder.
class AllForms {
 public:
  explicit AllForms(const GenotypeText& g) : g_(g) {
    std::string labels;
    for (const int y : g.labels) labels += fmt::format("{}\n", y);
    dir.write("labels", labels);
    csv = dir.write("t.csv", csv_text());
    svmlight = dir.write("t.svm", svmlight_text());
    market = dir.write("t.mtx", market_text());
    fortran = dir.write("t.npy", fortran_bytes());
    write_plink();
    bed = dir.path("t.bed");
    labels_file = dir.path("labels");
  }

  TempDir dir;
  std::string csv, svmlight, market, fortran, bed, labels_file;

 private:
  std::string csv_text() const {
    std::string out = "label";
    for (std::size_t l = 0; l < g_.variants; ++l) out += fmt::format(",v{}", l + 1);
    for (std::size_t mu = 0; mu < g_.samples; ++mu) {
      out += fmt::format("\n{}", g_.labels[mu]);
      for (std::size_t l = 0; l < g_.variants; ++l)
        out += g_.at(mu, l) < 0 ? std::string(",NA") : fmt::format(",{}", g_.at(mu, l));
    }
    return out + "\n";
  }
  std::string svmlight_text() const {
    std::string out;
    for (std::size_t mu = 0; mu < g_.samples; ++mu) {
      out += fmt::format("{}", g_.labels[mu]);
      for (std::size_t l = 0; l < g_.variants; ++l)
        if (g_.at(mu, l) != 0)
          out += g_.at(mu, l) < 0 ? fmt::format(" {}:nan", l + 1) : fmt::format(" {}:{}", l + 1, g_.at(mu, l));
      out += "\n";
    }
    return out;
  }
  std::string market_text() const {  // by columns, backwards: the order is free
    std::string entries;
    std::size_t count = 0;
    for (std::size_t l = g_.variants; l-- > 0;)
      for (std::size_t mu = g_.samples; mu-- > 0;)
        if (g_.at(mu, l) != 0) {
          entries += g_.at(mu, l) < 0 ? fmt::format("{} {} nan\n", mu + 1, l + 1)
                                      : fmt::format("{} {} {}\n", mu + 1, l + 1, g_.at(mu, l));
          ++count;
        }
    return fmt::format("%%MatrixMarket matrix coordinate real general\n% made by a test\n{} {} {}\n", g_.samples,
                       g_.variants, count) +
           entries;
  }
  std::string fortran_bytes() const {
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': True, 'shape': ({}, {}), }}", g_.samples, g_.variants);
    header.resize((10 + header.size() + 64) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string out = "\x93NUMPY";
    out += '\x01';
    out += '\x00';
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    for (std::size_t l = 0; l < g_.variants; ++l)
      for (std::size_t mu = 0; mu < g_.samples; ++mu) {
        const float value = g_.at(mu, l) < 0 ? NAN : static_cast<float>(g_.at(mu, l));
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        out.append(bytes, sizeof value);
      }
    return out;
  }
  void write_plink() const {
    std::string calls("\x6c\x1b\x01", 3), bim, fam;
    const auto code = [](int copies) { return copies < 0 ? 1U : copies == 2 ? 0U : copies == 1 ? 2U : 3U; };
    for (std::size_t l = 0; l < g_.variants; ++l) {
      bim += fmt::format("1 v{} 0 {} A G\n", l + 1, l + 1);
      for (std::size_t first = 0; first < g_.samples; first += 4) {
        unsigned byte = 0;
        for (std::size_t i = 0; i < 4 && first + i < g_.samples; ++i) byte |= code(g_.at(first + i, l)) << (2 * i);
        calls += static_cast<char>(byte);
      }
    }
    for (std::size_t mu = 0; mu < g_.samples; ++mu) fam += fmt::format("f{0} s{0} 0 0 1 {1}\n", mu + 1, g_.labels[mu]);
    dir.write("t.bed", calls);
    dir.write("t.bim", bim);
    dir.write("t.fam", fam);
  }

  const GenotypeText g_;
};

}  // namespace cavity::test
