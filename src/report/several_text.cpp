#include "report/several_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assess/guessing.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_classes = 12;  // of a matrix that fits a terminal
constexpr std::size_t longest_name = 16;

std::string short_name(const std::string& name) { return name.substr(0, longest_name); }

std::string class_list(const Fit& fit) {
  std::string out;
  for (std::size_t k = 0; k < fit.data.class_counts.size(); ++k)
    out += fmt::format("{}{} {}", k > 0 ? ", " : "", fit.data.class_counts[k], fit.model.class_names[k]);
  return out;
}

// A line a class: how it does when left out, and the heaviest cell of its fit against the rest.
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

std::string confusion(const Fit& fit) {
  const std::size_t classes = fit.data.class_counts.size();
  if (classes > most_classes) return "";
  std::size_t width = 5;
  for (const auto& name : fit.model.class_names) width = std::max(width, std::min(name.size(), longest_name));
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

std::string joining_words(const Model& model) {
  const Joining& joining = model.calibration.joining;
  const bool offsets =
      std::any_of(joining.offset.begin(), joining.offset.end(), [](double offset) { return offset != 0; });
  const std::string together = model.calibration.together.share > 0
                                   ? fmt::format("; a fit of all classes at once has a share of {:.0f} %",
                                                 100 * model.calibration.together.share)
                                   : "";
  return fmt::format("joined by a softmax of the classes' fields: temperature {:.3g}{}{}{}\n", joining.temperature,
                     offsets ? ", an offset a class" : "", joining.coupling.empty() ? "" : ", couplings", together);
}

}  // namespace

std::string several_header(const Fit& fit) {
  return fmt::format("{} samples of {} classes ({}), {} features\n", fit.data.samples, fit.data.class_counts.size(),
                     class_list(fit), fit.data.features);
}

std::string several_result(const Fit& fit, const std::string& error) {
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_shares);
  return class_table(fit) + confusion(fit) + "\n" + error +
         fmt::format(" (always guessing {}: {:.1f} %), log loss {:.3f}\n", fit.model.class_names[guess.of_class],
                     100 * guess.error, fit.loo.log_loss) +
         fmt::format(
             "  95 % interval of the error {:.1f} to {:.1f} %, balanced accuracy {:.1f} %, Brier score {:.3f}\n",
             100 * fit.loo.error_interval.low, 100 * fit.loo.error_interval.high, 100 * fit.loo.balanced_accuracy,
             fit.loo.brier) +
         joining_words(fit.model);
}

std::string several_features(const Model& model, std::size_t top) {
  std::string out = fmt::format("\n{:<24} {:>9} {:<16} {:>12}\n", "feature", "inclusion", "class", "weight");
  for (const Feature& f : ranked_features(model, top))
    out += fmt::format("{:<24} {:>9.3f} {:<16} {:>12.4g}\n", f.name.substr(0, 60), f.inclusion,
                       short_name(model.class_names[f.of_class]), f.weight);
  return out +
         "inclusion: the largest over the classes, each against the rest; `cavity features MODEL --class NAME` lists "
         "one\n";
}

}  // namespace cavity
