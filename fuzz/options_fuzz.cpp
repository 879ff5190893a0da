// Words of a command line: names of before, lists of numbers, numbers of bytes, and the bounds of all numeric options.
// What passes is within them.
#include <cmath>
#include <sstream>

#include "cli/former_names.hpp"
#include "cli/options.hpp"
#include "file/messages.hpp"
#include "fuzzing.hpp"
#include "search/fit_bounds.hpp"

namespace {

using namespace cavity;

void expect_plain(const std::string& text) {
  for (const char c : text) fuzz::expect(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

void fit_with(const std::vector<double>& numbers) {
  FitOptions options;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    (i % 3 == 0 ? options.grid.density : i % 3 == 1 ? options.grid.noise : options.grid.width).push_back(numbers[i]);
  check_bounds(options);
  for (const double density : options.grid.density) fuzz::expect(density > 0 && density <= 1);
  for (const double width : options.grid.width) fuzz::expect(std::isfinite(width));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in{std::string(fuzz::text_of(data, size))};
  std::vector<std::string> words = {"cavity"};
  for (std::string word; std::getline(in, word);) words.push_back(word);
  const auto now = cli::in_names_of_today(words, [](const std::string& note) { fuzz::expect(!note.empty()); });
  fuzz::expect(now.size() == words.size());
  for (const std::string& word : now) {
    fuzz::expect_answer([&] { fuzz::expect(cli::parse_bytes(word) >= 1'000'000); });
    fuzz::expect_answer([&] { fit_with(cli::parse_numbers(word, "--density")); });
    expect_plain(shown(word) + plain(word) + nearest_names(word, words));
    std::string number = word;
    const std::string refused = cli::whole_number(1, 1000)(number);
    fuzz::expect(!refused.empty() || (std::stol(word) >= 1 && std::stol(word) <= 1000));
  }
  return 0;
}
