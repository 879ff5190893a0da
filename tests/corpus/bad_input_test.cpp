// Every file of the corpus through the binary: the exit code, the telling part of the message, nothing on standard
// output, and no more memory for a refusal than twice the file and 64 MB.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "corpus/corpus.hpp"

namespace cavity::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(CAVITY_COVERAGE)
constexpr bool memory_counts = false;  // the sanitizers' own, or gcov's counters
#else
constexpr bool memory_counts = true;
#endif

struct Ending {
  int code = 0;
  std::size_t peak = 0;  // bytes resident
  std::string out, err;
};

/// No shell in between, so that the system's account of memory is that of the binary alone. It starts from what this
/// process holds when it forks, which must be little.
Ending run(const std::string& arguments, const TempDir& folder) {
  std::vector<std::string> words = {CAVITY_BINARY};
  std::istringstream in(arguments);
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = folder.path("stdout"), err = folder.path("stderr");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    ::execv(CAVITY_BINARY, pointers.data());
    ::_exit(127);
  }
  int status = 0;
  struct rusage usage {};
  ::wait4(child, &status, 0, &usage);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, static_cast<std::size_t>(usage.ru_maxrss) * 1024, read_file(out), read_file(err)};
}

class CorpusTest : public testing::TestWithParam<CorpusFormat> {
 protected:
  CorpusTest() {
    std::vector<float> values;
    for (int i = 0; i < 8; ++i)
      values.insert(values.end(), {i % 2 ? -2.0F - 0.1F * i : 2.0F + 0.1F * i, 0.1F * (i % 3)});
    folder.write("good.npy", npy("<f4", "(8, 2)", raw(values)));
    std::string table = "id,a,b\n";
    for (int i = 1; i <= 8; ++i) table += fmt::format("p{},{},0.{}\n", i, i % 2 ? 2.1 : -1.9, i);
    folder.write("table.csv", table);
    folder.write("sheet.csv", good_sheet);
    folder.write("good.txt", "t\nn\nt\nn\nt\nn\nt\nn\n");
    folder.write("seven.txt", "t\nn\nt\nn\nt\nn\nt\n");
  }
  std::string filled(const std::string& arguments, const std::string& path) const {
    std::string out = replaced(replaced(arguments, "DATA", folder.path("good.npy")), "LABELS", folder.path("good.txt"));
    out = replaced(replaced(out, "TABLE", folder.path("table.csv")), "SHEET", folder.path("sheet.csv"));
    return replaced(replaced(out, "SEVEN", folder.path("seven.txt")), "@", path);
  }
  TempDir folder;
};

TEST_P(CorpusTest, EachFileEndsAsItShould) {
  const CorpusFormat& format = GetParam();
  Corpus files = format.files();
  EXPECT_GE(std::count_if(files.begin(), files.end(), [](const CorpusFile& file) { return file.code != 0; }), 10);
  EXPECT_GE(files.size(), 20U);
  for (CorpusFile& file : files) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(file.name)).parent_path());
    folder.write(file.name, file.bytes);
    file.bytes = {};
    for (auto& [name, bytes] : file.beside) {
      folder.write(name, bytes);
      bytes = {};
    }
  }
  ::malloc_trim(0);
  std::size_t highest = 0;
  for (const CorpusFile& file : files) {
    const std::string path = folder.path(file.name);
    std::size_t size = std::filesystem::file_size(path);
    for (const auto& [name, bytes] : file.beside) size += std::filesystem::file_size(folder.path(name));
    const Ending ending = run(filled(file.run.empty() ? format.run : file.run, path), folder);
    std::filesystem::remove(path);
    for (const auto& [name, bytes] : file.beside) std::filesystem::remove(folder.path(name));
    const std::string what = std::string(format.name) + "/" + file.name + " said: " + ending.err;
    EXPECT_EQ(ending.code, file.code) << what;
    EXPECT_NE(ending.err.find(file.part), std::string::npos) << "no \"" << file.part << "\": " << what;
    EXPECT_LT(ending.err.size(), 3000U) << what;
    if (file.code == 0) continue;
    EXPECT_EQ(ending.out, "") << what;
    if (!memory_counts) continue;
    highest = std::max(highest, ending.peak - std::min(ending.peak, 2 * size));
    EXPECT_LT(ending.peak, 2 * size + (std::size_t{64} << 20)) << what;
  }
  std::cout << format.name << ": " << files.size() << " files, a refusal took at most " << (highest >> 20)
            << " MB beyond twice the file\n";
}

INSTANTIATE_TEST_SUITE_P(Formats, CorpusTest, testing::ValuesIn(corpus_formats),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace cavity::test
