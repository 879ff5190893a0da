#include "file/array_file.hpp"

#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;

TEST(ArrayFile, GivesBackShapesAndAnyText) {
  const test::TempDir dir;
  const std::vector<float> matrix{1, 2, 3, 4, 5, 6};
  const std::vector<std::string> texts{"", std::string("\0\xff", 2), "plain"};
  ArrayWriter writer;
  writer.add("matrix", matrix, {2, 3});
  writer.add_text("texts", texts);
  writer.add_text("none", {});
  writer.write({{"kind", "test"}}, dir.path("a"));
  const ArrayReader reader(dir.path("a"));
  Shape shape;
  EXPECT_EQ(reader.read<float>("matrix", &shape, 2), matrix);
  EXPECT_EQ(shape, (Shape{2, 3}));
  EXPECT_EQ(reader.read_text("texts"), texts);
  EXPECT_TRUE(reader.read_text("none").empty());
  EXPECT_EQ(reader.header().at("kind"), "test");
  expect_error<InputError>([&] { reader.read<float>("matrix"); }, {"'matrix' is f32 with 2 dimensions"});
}

TEST(ArrayFile, RefusesShapesLargerThanTheFile) {
  const test::TempDir dir;
  const std::vector<float> one{1};
  const std::uint64_t huge = std::uint64_t{1} << 62;
  for (const Shape& shape : {Shape{huge}, Shape{huge, huge}, Shape{2}, Shape{1, 1, 0}}) {
    ArrayWriter liar;
    liar.add("training", one, shape);
    liar.write(nlohmann::json::object(), dir.path("bad"));
    expect_error<InputError>([&] { ArrayReader reader(dir.path("bad")); }, {"'training'", "does not match"});
  }
}

}  // namespace
}  // namespace cavity
