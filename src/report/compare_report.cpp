#include "report/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;
constexpr double bar_width = 40;

std::string table(const Comparison& c) {
  std::string out = fmt::format("{:<14} {:>7} {:>7} {:>7} {:>10} {:>7}\n", "method", "error %", "sd %", "splits",
                                "unsettled", "failed");
  for (const MethodSummary& row : summarise(c.results, c.methods))
    out += fmt::format("{:<14} {:>7.1f} {:>7.1f} {:>7} {:>10} {:>7}\n", row.method, 100 * row.mean, 100 * row.sd,
                       row.splits, row.unsettled, row.failed);
  return out;
}

std::string duels(const Comparison& c) {
  if (c.methods.size() < 2) return "";
  std::string out = fmt::format("\n{} against  {:>9} {:>5} {:>5} {:>7} {:>12} {:>9} {:>10}\n", c.methods.front().name,
                                "", "wins", "ties", "losses", "sign test p", "Welch t", "Welch p");
  for (std::size_t i = 1; i < c.methods.size(); ++i) {
    const Duel d = duel(c.results, c.methods.front().name, c.methods[i].name);
    out += fmt::format("  {:<19} {:>5} {:>5} {:>7} {:>12.2g} {:>9.2f} {:>10.2g}\n", d.second, d.wins, d.ties, d.losses,
                       d.sign_p, d.welch_t, d.welch_p);
  }
  return out + "sign test: one-sided, more wins than a fair coin would give; Welch: two-sided, t > 0: fewer errors\n";
}

std::string histogram(const Comparison& c, const CompareMethod& method, Chosen what) {
  const auto counts = chosen_histogram(c, method, what);
  std::size_t most = 1;
  for (const auto& [value, count] : counts) most = std::max(most, count);
  std::string out =
      fmt::format("\n{}: {} of the chosen cell\n", method.name, what == Chosen::density ? "density" : "noise");
  for (const auto& [value, count] : counts)
    out += fmt::format(
        "  {:>8.4g} {:>5} {}\n", value, count,
        std::string(static_cast<std::size_t>(bar_width * static_cast<double>(count) / static_cast<double>(most)), '#'));
  return out;
}

Json histogram_json(const Comparison& c, const CompareMethod& method, Chosen what) {
  Json out = Json::array();
  for (const auto& [value, count] : chosen_histogram(c, method, what))
    out.push_back({{"value", value}, {"splits", count}});
  return out;
}

Json duel_json(const Duel& d) {
  return {{"first", d.first},     {"second", d.second},
          {"wins", d.wins},       {"ties", d.ties},
          {"losses", d.losses},   {"sign_test_p", d.sign_p},
          {"welch_t", d.welch_t}, {"welch_degrees_of_freedom", d.welch_freedom},
          {"welch_p", d.welch_p}};
}

}  // namespace

std::map<double, std::size_t> chosen_histogram(const Comparison& c, const CompareMethod& method, Chosen what) {
  std::map<double, std::size_t> out;
  if (method.baseline) return out;
  for (const SplitResult& r : c.results)
    if (r.method == method.name && r.status != "failed") ++out[what == Chosen::density ? r.density : r.noise];
  return out;
}

std::string compare_text(const Comparison& c) {
  std::string out = table(c) + duels(c);
  for (const CompareMethod& method : c.methods)
    if (!method.baseline) out += histogram(c, method, Chosen::density) + histogram(c, method, Chosen::noise);
  return out;
}

Json compare_json(const Comparison& c) {
  Json out{{"methods", Json::array()}, {"tests", Json::array()}};
  const auto summaries = summarise(c.results, c.methods);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const MethodSummary& s = summaries[i];
    out["methods"].push_back({{"method", s.method},
                              {"error", s.mean},
                              {"sd", s.sd},
                              {"splits", s.splits},
                              {"unsettled", s.unsettled},
                              {"failed", s.failed},
                              {"density", histogram_json(c, c.methods[i], Chosen::density)},
                              {"noise", histogram_json(c, c.methods[i], Chosen::noise)}});
  }
  for (std::size_t i = 1; i < c.methods.size(); ++i)
    out["tests"].push_back(duel_json(duel(c.results, c.methods.front().name, c.methods[i].name)));
  return out;
}

}  // namespace cavity
