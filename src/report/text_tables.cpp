// The tables of a fit in words: the cells of the only question, or how each class does and what it is called.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/text_parts.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_classes = 12;  // of a matrix that fits a terminal

/// The cells of one question by density (rows, falling) and noise and width (columns that have any); null: not visited.
struct CellTable {
  std::vector<const Cell*> head;               // a column: its densest cell
  std::vector<std::vector<const Cell*>> rows;  // in the order of the list

  explicit CellTable(const std::vector<Cell>& cells) {
    std::map<std::size_t, std::size_t> place;  // of a column
    for (const Cell& c : cells) place[c.column] = 0;
    for (auto& [column, at] : place) at = head.size(), head.push_back(nullptr);
    const double* density = nullptr;
    for (const Cell& c : cells) {
      if (!density || *density != c.density) rows.emplace_back(head.size());
      density = &c.density;
      const std::size_t at = place[c.column];
      rows.back()[at] = &c;
      if (!head[at]) head[at] = &c;
    }
  }
};

char mark_of(const Cell& cell, bool chosen) {
  if (chosen) return '*';
  return cell.status == "converged" ? ' ' : cell.status == "not mixed" ? '~' : '!';
}

std::string heads(const CellTable& table) {
  std::string out = fmt::format("{:>10} {:>8}", "density", "kept");
  for (const Cell* c : table.head) out += fmt::format(" {:>8.3g}", c->noise);
  out += "\n";
  if (!std::ranges::any_of(table.head, [](const Cell* c) { return c->width > 0; })) return out;
  out += fmt::format("{:>19}", "width");
  for (const Cell* c : table.head) out += fmt::format(" {:>8.3g}", c->width);
  return out + "\n";
}

/// Of classes of one size a sample left out is of the rarer one.
std::string tipped_words(const Fit& fit) {
  constexpr double nearly_all = 0.9;
  const auto tipped = [](const Cell& c) { return c.loo_error > nearly_all; };
  if (!std::ranges::any_of(fit.questions.front().grid, tipped)) return "";
  return "errors near 1: where a cell finds nothing it calls the commoner class, and of classes of one size that is "
         "the "
         "other one once a sample is left out\n";
}

}  // namespace

// * the chosen cell, marks for cells that take no part; a width beside a row is its own.
std::string grid_table(const Fit& fit) {
  const QuestionFit& question = fit.questions.front();
  const CellTable table(question.grid);
  std::string out = fmt::format("\n{} error by density (rows) and noise (columns)\n", left_out(fit.loo)) + heads(table);
  std::string marks;
  for (const auto& row : table.rows) {
    const Cell& first = **std::find_if(row.begin(), row.end(), [](const Cell* c) { return c != nullptr; });
    out += fmt::format("{:>10.4g} {:>8.0f}", first.density, first.kept);
    std::string own_width;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Cell* c = row[j];
      const char mark = c ? mark_of(*c, c == &question.chosen_cell()) : '-';
      marks += mark;
      out += c && std::isfinite(c->loo_error) ? fmt::format(" {:>7.3f}{}", c->loo_error, mark)
                                              : fmt::format(" {:>7}{}", "-", c ? mark : ' ');
      if (c && c->width != table.head[j]->width) own_width = fmt::format("  width {:.3g}", c->width);
    }
    out += own_width + "\n";
  }
  const auto some = [&marks](char mark) { return marks.find(mark) != std::string::npos; };
  out += "* " + std::string(question.grid.size() > 1 ? "the heaviest cell" : "the cell") +
         (some('!') ? ", ! not converged" : "") + (some('~') ? ", ~ chains have not mixed" : "") +
         (some('-') ? ", - not visited: the path had ended\n" : "\n");
  return out + tipped_words(fit);
}

std::string class_table(const Fit& fit) {
  const std::size_t classes = fit.data.class_counts.size();
  std::string out = fmt::format("\n{:<16} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8}\n", "class", "samples", "right", "AUC",
                                "density", "kept", "noise");
  for (std::size_t k = 0; k < classes; ++k) {
    const QuestionFit& c = fit.questions[k];
    const Cell& cell = c.chosen_cell();
    out +=
        fmt::format("{:<16} {:>7} {:>7} {:>8.3f} {:>8.3g} {:>8.0f} {:>8.3g}{}\n", short_name(fit.model.class_names[k]),
                    fit.data.class_counts[k], fit.loo.confusion[k * classes + k], c.accuracy.auc, cell.density,
                    cell.kept, cell.noise, cell.usable ? "" : " !");
  }
  return out + "right: when left out; AUC and the heaviest cell: of the class against the rest; ! not converged\n";
}

std::string confusion_table(const Fit& fit) {
  const std::size_t classes = fit.data.class_counts.size();
  if (classes > most_classes) return "";
  std::size_t width = 5;
  for (const auto& name : fit.model.class_names) width = std::max(width, short_name(name).size());
  std::string out = fmt::format("\n{:<16}", "true, called");
  for (const auto& name : fit.model.class_names) out += fmt::format(" {:>{}}", short_name(name), width);
  for (std::size_t k = 0; k < classes; ++k) {
    out += fmt::format("\n{:<16}", short_name(fit.model.class_names[k]));
    for (std::size_t j = 0; j < classes; ++j) {
      const std::size_t count = fit.loo.confusion[k * classes + j];
      out += count > 0 ? fmt::format(" {:>{}}", count, width) : fmt::format(" {:>{}}", ".", width);
    }
  }
  return out + "\n";
}

}  // namespace cavity
