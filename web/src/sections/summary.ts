// The top of the page: the verdict, the result in words, five numbers.
import { el } from "../parts/dom";
import { base_name, count, is_number, number, percent, short_name } from "../parts/format";
import { guessing_sentence, headline, permutation_sentence, verdict } from "../fit/headline";
import { has_choice } from "../fit/questions";
import type { Call } from "../statistics/calls";
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

/** Of one question its own, of more the lowest. */
function auc_words({ questions }: ReportData): string {
  const known = questions.map((q) => q.auc).filter(is_number);
  const lowest = known.length ? number(Math.min(...known), 3) : "n/a";
  return known.length > 1 ? `\u2265 ${lowest}` : lowest;
}

function tiles(report: ReportData): HTMLElement {
  const found = discoveries(report.feature_table, 0.5);
  const { guessing, permutation } = report;
  const taken = permutation.shown === false ? "not shown to be more than chance" : `expect ${number(found.expected_false, 2)} false`;
  return el(
    "dl",
    { class: "tiles" },
    tile(percent(report.loo_error), "leave-one-out error", `guessing: ${percent(report.baseline_error)}`),
    tile(
      number(report.loo_log_loss, 3),
      "leave-one-out log loss",
      `nats a sample; class frequencies alone: ${number(guessing?.log_loss, 3)}`,
    ),
    tile(
      percent(report.balanced_accuracy),
      "balanced accuracy",
      `every class counts alike; chance: ${percent(1 / report.classes.length)}`,
    ),
    tile(
      auc_words(report),
      "area under the ROC",
      has_choice(report) ? "of every class against the rest; 0.5 is chance" : "1 is perfect, 0.5 is chance",
    ),
    tile(
      count(found.count),
      "features with inclusion \u2265 0.5",
      `of ${count(report.features)}; ${taken}`,
    ),
  );
}

export function summary(report: ReportData, calls: Call[]): HTMLElement {
  const { standing, text } = verdict(report);
  const tested = permutation_sentence(report);
  return el(
    "header",
    {},
    el("h1", { class: `verdict ${standing}` }, text),
    el(
      "p",
      { class: "kicker" },
      "cavity report of ",
      el("bdi", { title: report.file }, short_name(base_name(report.file), 60)),
    ),
    el("p", { class: "headline" }, headline(report)),
    calls.length > 0 && el("p", {}, guessing_sentence(report, calls)),
    tested !== "" && el("p", {}, tested),
    tiles(report),
  );
}
