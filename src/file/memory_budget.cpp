#include "file/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::size_t of_a_line = 110, of_a_column = 110, of_a_value = 4;  // bytes, the most that any reader takes

struct Shape {
  std::size_t lines = 0, columns = 0, values = 0;
};

Shape shape_of(std::string_view text) {
  std::array<bool, 256> separates{};
  for (const char c : {',', ';', '\t', ' '}) separates[static_cast<unsigned char>(c)] = true;
  Shape out;
  std::size_t columns = 1;
  const auto end_line = [&] {
    ++out.lines;
    out.columns = std::max(out.columns, columns);
    out.values += columns;
    columns = 1;
  };
  for (const char c : text) {
    if (c == '\n')
      end_line();
    else if (separates[static_cast<unsigned char>(c)])
      ++columns;
  }
  end_line();
  return out;
}

std::size_t bytes_of(const Shape& shape, std::size_t text) {
  return text + of_a_line * shape.lines + of_a_column * shape.columns + of_a_value * shape.values;
}

std::size_t megabytes(std::size_t bytes) { return (bytes + 999'999) / 1'000'000; }

}  // namespace

std::size_t bytes_to_read(std::string_view text) { return bytes_of(shape_of(text), text.size()); }

void check_unpacked(std::string_view text, std::size_t compressed, std::size_t allowed, const std::string& path) {
  const std::size_t budget = std::max(unpacked_budget(compressed), allowed);
  // A byte is at most a line of one value.
  if (text.size() <= budget / (1 + of_a_line + of_a_column + of_a_value)) return;
  const Shape shape = shape_of(text);
  const std::size_t needed = bytes_of(shape, text.size());
  if (needed <= budget) return;
  throw InputError(
      fmt::format("{}: {} compressed bytes hold {} of up to {}, which may take {} MB of memory, and so short a file "
                  "may take {} MB; "
                  "if it is genuine, allow it with `memory={}M`, or decompress it first and read the plain file",
                  shown_path(path), compressed, counted(shape.lines, "line"), counted(shape.columns, "column"),
                  megabytes(needed), megabytes(budget), megabytes(needed)));
}

}  // namespace cavity
