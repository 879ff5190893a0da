#include "cli/former_names.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace cavity::cli {

namespace {

struct Renamed {
  std::string_view command, before, now;
};
constexpr std::array options = {
    Renamed{"fit", "--prior", "--class-prior"},       Renamed{"fit", "--transform", "--value-transform"},
    Renamed{"stability", "--prior", "--class-prior"}, Renamed{"stability", "--transform", "--value-transform"},
    Renamed{"features", "--groups", "--correlated"},
};
constexpr std::array values = {
    // of --select
    Renamed{"--select", "loo-error", "loo_error"},
    Renamed{"--select", "loo-log-loss", "loo_log_loss"},
};

template <class Table>
std::string_view name_of_today(const Table& table, std::string_view of, std::string_view name) {
  for (const Renamed& one : table)
    if (one.command == of && one.before == name) return one.now;
  return name;
}

}  // namespace

std::vector<std::string> in_names_of_today(std::vector<std::string> words,
                                           const std::function<void(const std::string&)>& note) {
  const auto told = [&note](std::string_view before, std::string_view now) {
    if (before != now) note(fmt::format("{} is called {} now; the old name goes with version 2", before, now));
    return std::string(now);
  };
  std::string option;  // that the next word may be the value of
  for (std::size_t i = 2; i < words.size() && words[i] != "--"; ++i) {
    const std::size_t equals = words[i].find('=');
    if (words[i].starts_with("--")) {
      const std::string name = words[i].substr(0, equals);
      option = told(name, name_of_today(options, words[1], name));
      const std::string value = equals == std::string::npos ? "" : words[i].substr(equals + 1);
      words[i] = option;
      if (equals != std::string::npos) words[i] += "=" + told(value, name_of_today(values, option, value));
    } else {
      words[i] = told(words[i], name_of_today(values, option, words[i]));
      option.clear();
    }
  }
  return words;
}

}  // namespace cavity::cli
