// write_seeds FOLDER: the corpus as files, a folder a format: what the fuzzers start from.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "corpus/corpus.hpp"
#include "corpus/resumed.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  constexpr std::size_t most = 16384;  // longer seeds only slow the fuzzers down
  for (const auto& format : cavity::test::corpus_formats) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / format.name;
    std::filesystem::create_directories(folder);
    for (const auto& file : format.files()) {
      std::string bytes;  // of a fileset: .fam, .bim and .bed, or features, barcodes and matrix, NUL between them
      for (auto other = file.beside.rbegin(); other != file.beside.rend(); ++other) bytes += other->second + '\0';
      bytes += file.bytes;
      const std::string name = cavity::test::replaced(file.name, "/", "_");
      if (bytes.size() <= most) std::ofstream(folder / name, std::ios::binary) << bytes;
    }
  }
  for (const auto& seeds : cavity::test::resumed_seeds()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / seeds.name;
    std::filesystem::create_directories(folder);
    for (const auto& file : seeds.files) std::ofstream(folder / file.name, std::ios::binary) << file.bytes;
  }
  return 0;
}
