// The numbers people quote, with their intervals: over all classes, and of each class against the others.
import { el } from "../parts/dom";
import { count, number, percent } from "../parts/format";
import { left_out, population_words } from "../fit/headline";
import { question_words } from "../fit/questions";
import { plain_table } from "../parts/plain_table";
import type { Interval, Num, Question, ReportData } from "../fit/report_data";
import { section } from "./section";

const three = (value: Num): string => number(value, 3);

function range(interval: Interval | null, format: (value: Num) => string): string {
  return interval ? `${format(interval[0])} to ${format(interval[1])}` : "";
}

function all_rows(report: ReportData): string[][] {
  const { guessing } = report;
  return [
    ["error", percent(report.loo_error), range(report.loo_error_interval, percent), percent(report.baseline_error)],
    ["balanced accuracy", percent(report.balanced_accuracy), "", percent(1 / report.classes.length)],
    ["Brier score", three(report.brier), "", three(guessing?.brier ?? null)],
    ["log loss", three(report.loo_log_loss), "", three(guessing?.log_loss ?? null)],
  ];
}

function question_row(report: ReportData, q: Question, k: number): string[] {
  const with_range = (value: Num, interval: Interval | null, format: (v: Num) => string): string =>
    format(value) + (interval ? ` (${range(interval, format)})` : "");
  return [
    question_words(report, k, 16),
    with_range(q.auc, q.auc_interval, three),
    with_range(q.sensitivity, q.sensitivity_interval, percent),
    with_range(q.specificity, q.specificity_interval, percent),
    three(q.loo_log_loss),
    percent(q.train_error),
  ];
}

export function quoted(report: ReportData): HTMLElement | null {
  if (!report.confusion) return null;
  const prior = report.prior
    ? ` Error, Brier score and log loss are those of a population with ${population_words(report)}.`
    : "";
  const groups = report.sample_groups
    ? ` Each of the ${count(report.sample_groups)} groups of samples is left out as a whole, and the intervals are those between groups.`
    : "";
  const by = `by ${left_out(report)}`;
  return section(
    "numbers",
    "Numbers to quote",
    el("p", {}, `All ${by}, with 95 % intervals; every sample is called what is most probable.${groups}${prior}`),
    plain_table("numbers to quote", [by, "value", "95 % interval", "guessing"], all_rows(report)),
    plain_table(
      "a class against the others",
      ["a class against the others", "area under the ROC", "sensitivity", "specificity", "log loss", "training error"],
      report.questions.map((q, k) => question_row(report, q, k)),
    ),
    el(
      "p",
      { class: "remark" },
      "Sensitivity: the share of the class that has a probability of 1/2 or more; specificity: the share of the others that has less. " +
        "Guessing calls every sample the commonest class, with the frequencies of the classes for probabilities. The training error is no forecast: the fit has seen those samples.",
    ),
  );
}
