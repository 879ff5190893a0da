#include "report/boundary_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.hpp"

namespace cavity {

namespace {

constexpr double least_relevance = 0.005;  // of all

std::vector<std::size_t> most_relevant(const BoundaryFit& boundary, std::size_t most) {
  std::vector<std::size_t> out = ranked(boundary.relevance, most);
  std::erase_if(out, [&](std::size_t l) { return boundary.relevance[l] < least_relevance; });
  return out;
}

std::string verdict(const BoundaryFit& b) {
  const std::string by = fmt::format("{}log loss {:.3f} straight, {:.3f} bent, difference {:.3f} +- {:.3f}",
                                     b.of_kernels ? "of kernels of all features " : "", b.straight_log_loss,
                                     b.bent_log_loss, b.log_loss_gain, b.log_loss_gain_se);
  if (b.share == 0) return fmt::format("a straight boundary is enough: {}\n", by);
  return fmt::format("{}: {}; its share is {:.0f} %, and inclusion and weights are of the straight one\n",
                     b.bent_is_better() ? "a bent boundary predicts better than a straight one"
                                        : "a bent boundary has a part in the answer",
                     by, 100 * b.share);
}

std::string relevant_words(const Fit& fit, const BoundaryFit& b) {
  constexpr std::size_t most = 10;
  std::string out;
  for (const std::size_t l : most_relevant(b, most))
    out +=
        fmt::format("{}{} {:.3f}", out.empty() ? "" : ", ", fit.model.preprocessing.feature_names[l], b.relevance[l]);
  return out.empty() ? "" : fmt::format("  relevance inside the bent boundary: {}\n", out);
}

}  // namespace

std::string boundary_text(const Fit& fit) {
  const BoundaryFit& first = fit.questions.front().boundary;
  if (!first.known()) return fmt::format("boundary: straight ({})\n", first.why_none);
  if (fit.questions.size() == 1) return verdict(first) + relevant_words(fit, first);
  const auto bent = std::ranges::count_if(fit.questions, [](const QuestionFit& q) { return q.boundary.share > 0; });
  double gain = 0;
  for (const QuestionFit& q : fit.questions)
    gain += q.boundary.log_loss_gain / static_cast<double>(fit.questions.size());
  return bent == 0 ? fmt::format(
                         "straight boundaries are enough: bent ones change the log loss of a class against the "
                         "rest by {:.3f} on average\n",
                         -gain)
                   : fmt::format(
                         "bent boundaries have a part in {} of {} classes: they take away {:.3f} of the log loss "
                         "of a class against the rest on average\n",
                         bent, fit.questions.size(), gain);
}

nlohmann::ordered_json boundary_json(const BoundaryFit& b, const Model& model, std::size_t features) {
  using Json = nlohmann::ordered_json;
  const auto number = [&](double value) { return b.known() ? json_number(value) : Json(nullptr); };
  Json out = {{"compared", b.known()},
              {"why_not", b.known() ? Json(nullptr) : Json(b.why_none)},
              {"of_kernels", b.of_kernels},
              {"share", b.share},
              {"pruned_share", b.pruned_share},
              {"straight_log_loss", number(b.straight_log_loss)},
              {"bent_log_loss", number(b.bent_log_loss)},
              {"log_loss_gain", number(b.log_loss_gain)},
              {"log_loss_gain_se", number(b.log_loss_gain_se)},
              {"straight_error", number(b.straight_error)},
              {"bent_error", number(b.bent_error)},
              {"error_gain", number(b.error_gain)},
              {"error_gain_se", number(b.error_gain_se)},
              {"relevant", Json::array()}};
  for (const std::size_t l : most_relevant(b, features))
    out["relevant"].push_back({{"name", model.preprocessing.feature_names[l]}, {"relevance", b.relevance[l]}});
  return out;
}

}  // namespace cavity
