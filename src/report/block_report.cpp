#include "report/block_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.hpp"
#include "report/text_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

constexpr double alike = 0.5;  // correlation of two blocks' fields that is worth a line

Json loss_json(const BlockLoss& loss, bool known) {
  if (!known) return nullptr;
  return {{"error", json_number(loss.error)}, {"log_loss", json_number(loss.log_loss)}};
}

std::string adds_words(const BlockSummary& block) {
  return fmt::format("{}: {} ({:.3f} +- {:.3f} of log loss, {:.1f} % +- {:.1f} % of error)\n", plain(block.name),
                     block.adds ? "adds to the others" : "not shown to add to the others", block.log_loss_gain,
                     block.log_loss_gain_se, 100 * block.error_gain, 100 * block.error_gain_se);
}

}  // namespace

std::string blocks_text(const Fit& fit) {
  if (!fit.blocks) return "";
  const BlockReport& report = *fit.blocks;
  const auto loss = [&](const BlockLoss& of) {
    return report.judged ? fmt::format("{:>6.1f} % {:>6.3f}", 100 * of.error, of.log_loss)
                         : fmt::format("{:>15}", "not known");
  };
  std::string out = fmt::format("\n{:<24} {:>9} {:>8} {:>7} {:>10} {:>15} {:>15}\n", "block", "features", "lacking",
                                "scale", "field", "alone", "without it");
  for (const BlockSummary& block : report.blocks)
    out += fmt::format("{:<24} {:>9} {:>8} {:>7.3g} {:>8.0f} % {} {}\n", wide_name(block.name), block.features,
                       block.lacking, block.scale, 100 * block.field_share, loss(block.alone), loss(block.without));
  if (report.judged) {
    out += fmt::format("all blocks, every feature kept: leave-one-out error {:.1f} %, log loss {:.3f}\n",
                       100 * report.all.error, report.all.log_loss);
    for (const BlockSummary& block : report.blocks) out += adds_words(block);
  }
  const std::size_t count = report.blocks.size();
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t c = b + 1; c < count; ++c)
      if (const double r = report.redundancy[b * count + c]; r >= alike)
        out += fmt::format("{} and {} say much the same: their parts of the field correlate by {:.2f}\n",
                           plain(report.blocks[b].name), plain(report.blocks[c].name), r);
  return out;
}

Json blocks_json(const Fit& fit) {
  if (!fit.blocks) return nullptr;
  const BlockReport& report = *fit.blocks;
  Json list = Json::array();
  for (const BlockSummary& block : report.blocks) {
    Json gain = nullptr;
    if (report.judged)
      gain = {{"error", json_number(block.error_gain)},
              {"error_se", json_number(block.error_gain_se)},
              {"log_loss", json_number(block.log_loss_gain)},
              {"log_loss_se", json_number(block.log_loss_gain_se)}};
    list.push_back({{"name", block.name},
                    {"features", block.features},
                    {"kept_features", block.kept},
                    {"lacking", block.lacking},
                    {"value_transform", to_string(block.transform)},
                    {"scale", json_number(block.scale)},
                    {"field_share", json_number(block.field_share)},
                    {"alone", loss_json(block.alone, report.judged)},
                    {"without", loss_json(block.without, report.judged)},
                    {"gain", gain},
                    {"adds", report.judged ? Json(block.adds) : Json(nullptr)}});
  }
  return {{"all", loss_json(report.all, report.judged)},
          {"blocks", list},
          {"redundancy", rows_json(report.redundancy, report.blocks.size())}};
}

}  // namespace cavity
