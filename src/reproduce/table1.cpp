// Table 1: 200 random splits of the colon data into 42 training and 20 test samples, the paper's preprocessing and
// grid. Figures 5 and 6: what the splits choose.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "cavity/read.hpp"
#include "compare/split_log.hpp"
#include "report/compare_report.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/table1_rows.hpp"
#include "reproduce/undamped.hpp"
#include "search/grid.hpp"

namespace cavity {

namespace {

constexpr std::size_t train = 42;

std::string percent(double mean, double sd) { return fmt::format("{:.1f} +- {:.1f}", mean, sd); }

void add_errors(const std::vector<Table1Row>& rows, const std::vector<MethodSummary>& ours, Section& out) {
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MethodSummary& s = ours[i];
    const auto& print = rows[i].print;
    cells.push_back({rows[i].title, percent(100 * s.mean, 100 * s.sd),
                     print ? percent(print->first, print->second) : "not in print",
                     print ? fmt::format("{:+.1f}", 100 * s.mean - print->first) : "", fmt::format("{}", s.unsettled),
                     fmt::format("{}", s.failed)});
    out.numbers["rows"].push_back({{"method", s.method},
                                   {"error", s.mean},
                                   {"sd", s.sd},
                                   {"splits", s.splits},
                                   {"unsettled", s.unsettled},
                                   {"failed", s.failed},
                                   {"print", nullptr}});
    if (print) out.numbers["rows"].back()["print"] = {print->first / 100, print->second / 100};
  }
  PrintedChart chart{"Test error of every method, ours and in print", "test error, %", {}};
  for (std::size_t i = 0; i < rows.size(); ++i)
    chart.rows.push_back({rows[i].title, 100 * ours[i].mean, 100 * ours[i].sd, rows[i].print});
  out.picture(chart);
  out.table({"test error, %: mean +- standard deviation", "ours", "in print", "difference", "unsettled splits",
             "failed splits"},
            cells);
}

void add_duels(const std::vector<SplitResult>& results, Section& out) {
  const std::vector<std::pair<std::string, std::string>> pairs = {{"sbc", "sbl"},
                                                                  {"sbc", "fda"},
                                                                  {"sbc", "fda-shrunk"},
                                                                  {"sbc-noise", "sbc"},
                                                                  {"sbc-white", "sbc"},
                                                                  {"sbc-white", "sbl"},
                                                                  {"ep", "sbc"},
                                                                  {"ep", "sbl"},
                                                                  {"ep-noise", "sbc-noise"},
                                                                  {"ep-white", "sbc-white"},
                                                                  {"sbc-white-train", "sbc-white"}};
  std::vector<std::vector<std::string>> cells;
  for (const auto& [first, second] : pairs) {
    const Duel d = duel(results, first, second);
    cells.push_back({first + " against " + second, fmt::format("{}", d.wins), fmt::format("{}", d.ties),
                     fmt::format("{}", d.losses), fmt::format("{:.2g}", d.sign_p), fmt::format("{:.2f}", d.welch_t),
                     fmt::format("{:.2g}", d.welch_p)});
  }
  out.table(
      {"the first is better?", "wins", "ties", "losses", "sign test, one-sided p", "Welch t", "Welch p, two-sided"},
      cells);
}

// What the print claims, and whether these splits say the same.
void add_verdicts(const std::vector<Table1Row>& rows, const std::vector<MethodSummary>& ours,
                  const std::vector<SplitResult>& results, Section& out) {
  std::size_t worst = 0, second = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].print && ours[i].mean > ours[worst].mean) worst = i;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].print && i != worst && (second == rows.size() || ours[i].mean > ours[second].mean)) second = i;
  out.paragraph(fmt::format(
      "In print FDA is the worst of the printed rows by far. Ours: the worst is {} at {:.1f} %, "
      "{:.1f} points behind {}.",
      rows[worst].title, 100 * ours[worst].mean, 100 * (ours[worst].mean - ours[second].mean), rows[second].title));
  const Duel d = duel(results, "sbc", "sbl");
  out.paragraph(
      fmt::format("In print SBC is ahead of SBL by a sign test at 95 %. Ours: {} wins, {} ties, {} losses, "
                  "one-sided p = {:.2g}: {}.",
                  d.wins, d.ties, d.losses, d.sign_p, d.sign_p < 0.05 ? "the same" : "not so"));
  out.numbers["sbc_against_sbl"] = {{"wins", d.wins}, {"ties", d.ties}, {"losses", d.losses}, {"p", d.sign_p}};
}

void add_reasons(const SettledCells& settled, Section& out) {
  out.paragraph(fmt::format(
      "Where the numbers differ, what is known: the print gives neither start, damping nor stopping rule of "
      "the algorithm, and without damping only {} of the {} cells of the grid settle on this data within "
      "500 updates ({} with the damping used here); damped AMP on correlated features settles at a biased "
      "point that depends on such choices, which the rows by EP do not have.",
      settled.undamped, settled.cells, settled.damped));
  out.paragraph(
      "The print says 42 tumour and 20 normal samples; the data has 40 and 22. How ties between cells of equal "
      "leave-one-out error were broken is not in print; here the smaller leave-one-out log loss decides. Details of "
      "the paper's SBL (bias, start, stopping) and FDA are not in print either: here SBL has a bias with a precision "
      "of its own and starts from one common precision, and FDA uses the pseudo-inverse of the within-class scatter.");
  out.paragraph(
      "Whitening 62 samples over all of them leaves 61 directions of equal variance, in which every two samples have "
      "the same angle: the corners of a regular simplex. What training samples say of a test sample then comes only "
      "through which principal directions are kept, so a low error needs fewer directions or another scaling than "
      "full whitening; the print says neither.");
  out.paragraph(
      "A whitening over all samples sees the test samples, though not their labels; the rows whitened on the training "
      "part are what a user can do. Splits overlap, so the tests treat dependent numbers as independent and their p "
      "values are too small.");
}

// Of the paper's grid, rising: those that no split chose are shown too.
std::vector<double> paper_values(Chosen what) {
  FitOptions options;
  options.grid.paper = true;
  const Grid grid = make_grid(options, 1);
  std::vector<double> out = what == Chosen::density ? grid.density : grid.noise.front();
  std::sort(out.begin(), out.end());
  return out;
}

BarChart histogram(const Comparison& comparison, const std::vector<Table1Row>& rows,
                   const std::vector<std::string>& names, Chosen what) {
  BarChart out;
  std::vector<std::map<double, std::size_t>> counts;
  for (const auto& row : rows) {
    if (std::find(names.begin(), names.end(), row.method.name) == names.end()) continue;
    counts.push_back(chosen_histogram(comparison, row.method, what));
    out.series.push_back({row.title, {}});
  }
  for (const double value : paper_values(what)) {
    out.categories.push_back(fmt::format("{:g}", value));
    for (std::size_t s = 0; s < counts.size(); ++s)
      out.series[s].height.push_back(counts[s].contains(value) ? static_cast<double>(counts[s].at(value)) : 0);
  }
  out.y_label = "splits";
  out.x_label = what == Chosen::density ? "density of the chosen cell" : "noise of the chosen cell";
  return out;
}

void add_histograms(const Comparison& comparison, const std::vector<Table1Row>& rows, Section& out) {
  BarChart density = histogram(comparison, rows, {"sbc", "sbc-noise", "sbc-white"}, Chosen::density);
  density.title = "Figure 5: the density that the splits choose";
  out.picture("fig5", density);
  BarChart noise = histogram(comparison, rows, {"sbc", "ep"}, Chosen::noise);
  noise.title = "Figure 6: the noise that the splits choose";
  out.picture("fig6", noise);
}

nlohmann::ordered_json split_settings(const ReproduceOptions& options) {
  return {{"table", 1}, {"train", train}, {"seed", options.seed}};
}

// The splits, in the file that keeps them where there is one.
std::vector<SplitResult> run_splits(const ReproduceOptions& options, const std::vector<Dataset>& tables,
                                    const std::vector<CompareMethod>& methods, CompareOptions& compare_options) {
  std::optional<SplitLog> log;
  if (!options.split_log.empty()) {
    if (!options.resume) std::filesystem::remove(options.split_log);
    log.emplace(options.split_log, split_settings(options), methods.size(), options.resume);
    compare_options.skip = log->done_splits();
  }
  std::size_t finished = compare_options.skip.size();
  compare_options.finished = [&](const std::vector<SplitResult>& split) {
    if (log) log->append(split);
    if (options.progress)
      options.progress("table1", static_cast<double>(++finished) / static_cast<double>(compare_options.splits));
  };
  std::vector<SplitResult> results = compare(tables, methods, compare_options);
  if (log) {
    results.insert(results.begin(), log->done().begin(), log->done().end());
    std::stable_sort(results.begin(), results.end(),
                     [](const SplitResult& a, const SplitResult& b) { return a.split < b.split; });
    log->finish(results);
  }
  return results;
}

}  // namespace

Section reproduce_table1(const ReproduceOptions& options) {
  const std::vector<Dataset> tables =
      table1_tables(read_dataset(options.colon, {.threads = options.threads}), options.threads);
  const std::vector<Table1Row> rows = table1_rows();
  Comparison comparison;
  for (const Table1Row& row : rows) comparison.methods.push_back(row.method);
  CompareOptions compare_options;
  compare_options.splits = options.splits > 0 ? options.splits : options.quick ? 6 : 200;
  compare_options.train = train;
  compare_options.seed = options.seed;
  compare_options.threads = options.threads;
  comparison.results = run_splits(options, tables, comparison.methods, compare_options);
  const auto ours = summarise(comparison.results, comparison.methods);
  Section out("table1", "Table 1, figures 5 and 6: the colon data");
  out.paragraph(
      fmt::format("{} random splits, {} training and {} test samples, seed {}. Every method is tuned on the "
                  "training part. A split is unsettled when the chosen cell did not converge, failed when "
                  "there was no classifier and the commoner class was guessed; both are counted.",
                  ours.front().splits, train, tables.front().samples() - train, options.seed));
  add_errors(rows, ours, out);
  add_verdicts(rows, ours, comparison.results, out);
  add_duels(comparison.results, out);
  add_reasons(settled_cells(tables.front(), options.threads), out);
  add_histograms(comparison, rows, out);
  out.csv("table1", split_csv(split_settings(options), comparison.results));
  return out;
}

}  // namespace cavity
