// What a release is linked and compiled with, as its own file says.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

namespace cavity {
namespace {

std::string said_by(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> part;
  for (std::size_t n; (n = fread(part.data(), 1, part.size(), pipe.get())) > 0;) out.append(part.data(), n);
  return out;
}

TEST(Hardened, AReleaseIs) {
#ifndef CAVITY_RELEASE
  GTEST_SKIP() << "not a release";
#endif
  const std::string headers = said_by("readelf -hldW " CAVITY_BINARY);
  if (headers.empty()) GTEST_SKIP() << "no readelf";
  EXPECT_NE(headers.find("DYN (Position-Independent"), std::string::npos);
  EXPECT_NE(headers.find("GNU_RELRO"), std::string::npos);
  EXPECT_NE(headers.find("NOW"), std::string::npos);
  EXPECT_EQ(headers.find("RWE"), std::string::npos);  // nothing is both written and executed
  EXPECT_NE(headers.find("BIND_NOW"), std::string::npos);
  const std::string symbols = said_by("readelf -sW --dyn-syms " CAVITY_BINARY);
  EXPECT_NE(symbols.find("__stack_chk_fail"), std::string::npos);
  EXPECT_NE(symbols.find("__memcpy_chk"), std::string::npos);  // FORTIFY: what checks the length of a copy
}

// The linked program is not marked for it: what Debian starts programs with, and its HDF5, are not.
TEST(Hardened, EveryObjectOfALibraryHasItsJumpsMarked) {
#if !defined(CAVITY_RELEASE) || !defined(__x86_64__)
  GTEST_SKIP() << "not a release for x86-64";
#endif
  std::istringstream notes(said_by("readelf -nW $(dirname " CAVITY_BINARY ")/libcavity.a"));
  int objects = 0, marked = 0;
  for (std::string line; std::getline(notes, line);) {
    objects += line.starts_with("File: ");
    marked += line.find("IBT, SHSTK") != std::string::npos;
  }
  if (objects == 0) GTEST_SKIP() << "no readelf";
  EXPECT_EQ(marked, objects);
}

}  // namespace
}  // namespace cavity
