// How fast a plain numeric CSV becomes a matrix, on one core and on two: bytes a second are bytes of the file.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.hpp"
#include "cavity/read.hpp"

namespace {

/// About 100 MB of expression-like values, `format` each; removed at exit.
class CsvFile {
 public:
  CsvFile(const char* name, int columns, fmt::format_string<double> format) {
    path_ = (std::filesystem::temp_directory_path() / fmt::format("cavity_{}_{}.csv", name, ::getpid())).string();
    std::ofstream out(path_, std::ios::binary);
    std::string line("label");
    for (int i = 1; i <= columns; ++i) line += fmt::format(",g{}", i);
    cavity::Random random(1);
    std::size_t bytes = 0;
    for (int row = 0; bytes < 100'000'000; ++row) {
      line += '\n';
      out << line;
      bytes += line.size();
      line.assign(1, row % 2 == 0 ? 't' : 'n');
      for (int i = 0; i < columns; ++i)
        fmt::format_to(std::back_inserter(line), ",{}", fmt::format(format, 1000 * random.normal()));
    }
    out << line << '\n';
  }
  ~CsvFile() { std::remove(path_.c_str()); }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void read(benchmark::State& state, const CsvFile& file) {
  for (auto _ : state) {
    const cavity::Dataset dataset =
        cavity::read_dataset(file.path(), {.threads = static_cast<unsigned>(state.range(0))});
    benchmark::DoNotOptimize(dataset.features.dense().values.data());
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(file.path()));
  state.counters["MB/s"] =
      benchmark::Counter(1e-6 * bytes * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void read_two_decimals(benchmark::State& state) {
  static const CsvFile file("two_decimals", 2000, "{:.2f}");
  read(state, file);
}
BENCHMARK(read_two_decimals)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void read_nine_digits(benchmark::State& state) {
  static const CsvFile file("nine_digits", 2000, "{:.9g}");
  read(state, file);
}
BENCHMARK(read_nine_digits)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void read_seventeen_digits(benchmark::State& state) {
  static const CsvFile file("seventeen_digits", 2000, "{:.17g}");
  read(state, file);
}
BENCHMARK(read_seventeen_digits)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void read_ten_columns(benchmark::State& state) {
  static const CsvFile file("ten_columns", 10, "{:.9g}");
  read(state, file);
}
BENCHMARK(read_ten_columns)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
