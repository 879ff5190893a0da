// The top of the page: the result in words and five numbers.
import { el } from "../parts/dom";
import { base_name, count, number, percent, short_name } from "../parts/format";
import { guessing_sentence, headline, permutation_sentence, verdict, verdict_sentence } from "../fit/headline";
import type { Outcome } from "../statistics/outcomes";
import type { ReportData } from "../fit/report_data";
import { discoveries } from "../statistics/discoveries";

export function tile(value: string, what: string, note: string): HTMLElement {
  return el(
    "div",
    { class: "tile" },
    el("dt", {}, what),
    el("dd", { class: "value" }, value),
    el("dd", { class: "note" }, note),
  );
}

export function summary(report: ReportData, outcomes: Outcome[], auc: number | null): HTMLElement {
  const found = discoveries(report.feature_table, 0.5);
  return el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity report"),
    el("h1", { title: report.file }, el("bdi", {}, short_name(base_name(report.file), 60))),
    el("p", { class: "headline" }, headline(report)),
    el(
      "p",
      { class: `verdict ${outcomes.length ? verdict(report) : "unclear"}` },
      verdict_sentence(report, outcomes),
    ),
    permutation_sentence(report) !== "" && el("p", {}, permutation_sentence(report)),
    outcomes.length > 0 && el("p", {}, guessing_sentence(report, outcomes)),
    el(
      "dl",
      { class: "tiles" },
      tile(percent(report.loo_error), "leave-one-out error", `guessing: ${percent(report.baseline_error)}`),
      tile(number(report.loo_log_loss, 3), "leave-one-out log loss", "nats a sample; 0.693 is a coin"),
      tile(number(auc, 3), "area under the ROC", "1 is perfect, 0.5 is chance"),
      tile(
        count(found.count),
        "features with inclusion \u2265 0.5",
        `of ${count(report.features)}; expect ${number(found.expected_false, 2)} false`,
      ),
      tile(percent(report.train_error), "error on the training samples", "not a forecast: it has seen them"),
    ),
  );
}
