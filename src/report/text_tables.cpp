// The tables of a fit in words: the cells of the only question, or how each class does and what it is called.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/text_parts.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_classes = 12;  // of a matrix that fits a terminal

/// Where it is not that of the head: sampled rows soften the boundary by the features that they keep.
std::string width_of_row(std::span<const Cell> row, std::span<const Cell> head) {
  for (std::size_t j = 0; j < row.size(); ++j)
    if (row[j].status != "not visited" && row[j].width != head[j].width)
      return fmt::format("  width {:.3g}", row[j].width);
  return "";
}

}  // namespace

// * the chosen cell, marks for cells that take no part.
std::string grid_table(const Fit& fit) {
  const QuestionFit& question = fit.questions.front();
  std::vector<double> densities;
  for (const Cell& c : question.grid)
    if (densities.empty() || densities.back() != c.density) densities.push_back(c.density);
  const std::size_t columns = question.grid.size() / densities.size();
  std::string out = fmt::format("\n{} error by density (rows) and noise (columns)\n", left_out(fit.loo));
  out += fmt::format("{:>10} {:>8}", "density", "kept");
  for (std::size_t j = 0; j < columns; ++j) out += fmt::format(" {:>8.3g}", question.grid[j].noise);
  out += "\n";
  if (std::any_of(question.grid.begin(), question.grid.end(), [](const Cell& c) { return c.width > 0; })) {
    out += fmt::format("{:>19}", "width");
    for (std::size_t j = 0; j < columns; ++j) out += fmt::format(" {:>8.3g}", question.grid[j].width);
    out += "\n";
  }
  bool failed = false, unmixed = false, unvisited = false;
  for (std::size_t i = 0; i < densities.size(); ++i) {
    const double kept = densities[i] * static_cast<double>(fit.model.preprocessing.inputs());
    out += fmt::format("{:>10.4g} {:>8.0f}", densities[i], kept);
    for (std::size_t j = 0; j < columns; ++j) {
      const Cell& c = question.grid[i * columns + j];
      const bool visited = c.status != "not visited";
      const bool mixed = c.status != "not mixed", fine = c.status == "converged" || !visited;
      const char mark = i * columns + j == question.chosen ? '*' : fine ? ' ' : mixed ? '!' : '~';
      unvisited = unvisited || !visited;
      failed = failed || mark == '!';
      unmixed = unmixed || mark == '~';
      out += std::isfinite(c.loo_error) ? fmt::format(" {:>7.3f}{}", c.loo_error, mark)
                                        : fmt::format(" {:>7}{}", "-", mark);
    }
    out += width_of_row({question.grid.data() + i * columns, columns}, {question.grid.data(), columns}) + "\n";
  }
  out += "* " + std::string(question.grid.size() > 1 ? "the heaviest cell" : "the cell") +
         (failed ? ", ! not converged" : "") + (unmixed ? ", ~ chains have not mixed" : "") +
         (unvisited ? ", - not visited: the path had ended\n" : "\n");
  return out;
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
