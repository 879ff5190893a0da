// The top of the page: the result of more than two classes in words and five numbers.
import { el } from "../parts/dom";
import { base_name, class_words, count, is_number, number, percent, plural, short_name } from "../parts/format";
import { against_words, left_out, permutation_sentence, verdict, verdict_words } from "../fit/headline";
import { tile } from "../sections/summary";
import type { Call } from "../statistics/calls";
import { discoveries } from "../statistics/discoveries";
import type { SeveralData } from "./several_data";

const most_listed = 9;

function class_list(report: SeveralData): string {
  const { classes } = report;
  const shown = classes.slice(0, most_listed).map((c) => `${count(c.count)} ${class_words(c.name)}`);
  const more = classes.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

export function several_headline(report: SeveralData): string {
  const highest = report.loo_error_interval[1];
  const none = report.loo_error === 0 && is_number(highest); // a standard error of 0 would say nothing
  const plus_minus = is_number(report.loo_error_se) ? ` \u00b1 ${percent(report.loo_error_se)}` : "";
  return (
    `Of ${plural(report.samples, "sample")} of ${count(report.classes.length)} classes (${class_list(report)}), ` +
    `${left_out(report)} error ${percent(report.loo_error)}${none ? ` (0 to ${percent(highest)})` : plus_minus}; ` +
    `always guessing ${class_words(report.guessing.class)} would give ${percent(report.baseline_error)}.`
  );
}

function mistakes_sentence(report: SeveralData, calls: Call[]): string {
  const [low, high] = report.loo_error_interval;
  const weighed = report.prior ? " Errors weigh the samples as in the population that was named." : "";
  return (
    `${count(calls.filter((c) => c.wrong).length)} of ${count(calls.length)} samples are misclassified when left out ` +
    `(95 % interval of the error ${percent(low)} to ${percent(high)}).${weighed}${against_words(report)}`
  );
}

function tiles(report: SeveralData): HTMLElement {
  const found = discoveries(report.feature_table, 0.5);
  return el(
    "dl",
    { class: "tiles" },
    tile(percent(report.loo_error), "leave-one-out error", `guessing: ${percent(report.baseline_error)}`),
    tile(
      number(report.loo_log_loss, 3),
      "leave-one-out log loss",
      `nats a sample; class frequencies alone: ${number(report.guessing.log_loss, 3)}`,
    ),
    tile(
      percent(report.balanced_accuracy),
      "balanced accuracy",
      `every class counts alike; chance: ${percent(1 / report.classes.length)}`,
    ),
    tile(number(report.brier, 3), "Brier score", `class frequencies alone: ${number(report.guessing.brier, 3)}`),
    tile(
      count(found.count),
      "features with inclusion \u2265 0.5",
      `of ${count(report.features)}; expect ${number(found.expected_false, 2)} false`,
    ),
  );
}

export function several_summary(report: SeveralData, calls: Call[]): HTMLElement {
  const found = calls.length ? verdict(report) : "unclear";
  return el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity report"),
    el("h1", { title: report.file }, el("bdi", {}, short_name(base_name(report.file), 60))),
    el("p", { class: "headline" }, several_headline(report)),
    el(
      "p",
      { class: `verdict ${found}` },
      calls.length ? verdict_words[found] : "No sample has leave-one-out probabilities.",
    ),
    permutation_sentence(report) !== "" && el("p", {}, permutation_sentence(report)),
    calls.length > 0 && el("p", {}, mistakes_sentence(report, calls)),
    tiles(report),
  );
}
