// The result in sentences: what a colleague remembers after closing the page.
import { count, is_number, number, percent, plural, class_words } from "../parts/format";
import { guessed_class, type Outcome } from "../statistics/outcomes";
import type { Guessing, Permutation, ReportData } from "./report_data";

/** Samples one by one, or groups of them as a whole. */
export function left_out(report: { sample_groups?: number }): string {
  return report.sample_groups ? "leave-one-group-out" : "leave-one-out";
}

export function headline(report: ReportData): string {
  const size = (name: string): string => `${count(report.classes[name] ?? 0)} ${class_words(name)}`;
  const highest = report.loo_error_interval?.[1];
  const none = report.loo_error === 0 && is_number(highest); // a standard error of 0 would say nothing
  const plus_minus = is_number(report.loo_error_se) ? ` \u00b1 ${percent(report.loo_error_se)}` : "";
  const se = none ? ` (0 to ${percent(highest)})` : plus_minus;
  return (
    `Of ${plural(report.samples, "sample")} (${size(report.positive)}, ${size(report.negative)}), ` +
    `${left_out(report)} error ${percent(report.loo_error)}${se}; ` +
    `always guessing ${class_words(guessed_class(report))} would give ${percent(report.baseline_error)}.`
  );
}

export type Verdict = "better" | "unclear" | "worse";

/** Judged on the samples where the classifier and the guess disagree. */
export function verdict(report: Pick<ReportData, "guessing" | "loo_error">): Verdict {
  const { guessing, loo_error } = report;
  if (!guessing || !is_number(guessing.p_value) || guessing.p_value > 0.05) return "unclear";
  return (loo_error ?? 1) < (guessing.error ?? 0) ? "better" : "worse";
}

export const verdict_words: Record<Verdict, string> = {
  better: "The classifier does clearly better than guessing.",
  unclear: "These samples do not show that the classifier does better than guessing.",
  worse: "The classifier does worse than guessing: do not use it on new samples.",
};

export function verdict_sentence(report: ReportData, outcomes: Outcome[]): string {
  return outcomes.length ? verdict_words[verdict(report)] : "No sample has a leave-one-out probability.";
}

/** Is there anything to find? The labels as they are against labels dealt by chance. */
export function permutation_sentence(report: { permutation?: Permutation }): string {
  const test = report.permutation;
  if (!test || !is_number(test.p)) return "";
  const found = test.p < 0.05 ? "tell the classes apart" : "are not shown to tell the classes apart";
  return `The features ${found}: p = ${number(test.p, 2)} by ${count(test.permutations)} permutations of the labels.`;
}

export function against_words(report: { guessing?: Guessing; prior?: number[] }): string {
  const g = report.guessing;
  if (!g) return "";
  const test = report.prior ? "p" : "sign test p";
  const p = is_number(g.p_value) && g.p_value < 0.001 ? "< 0.001" : `= ${number(g.p_value, 2)}`;
  return ` Against guessing, ${count(g.gained)} are gained and ${count(g.lost)} lost (${test} ${p}).`;
}

export function guessing_sentence(report: ReportData, outcomes: Outcome[]): string {
  const wrong = outcomes.filter((o) => o.wrong).length;
  const [low, high] = report.loo_error_interval ?? [null, null];
  const weighed = report.prior
    ? ` Errors weigh the samples as in a population with ${percent(report.prior[1])} ${class_words(report.positive)}.`
    : "";
  return (
    `${count(wrong)} of ${count(outcomes.length)} samples are misclassified when left out ` +
    `(95 % interval of the error ${percent(low)} to ${percent(high)}).${weighed}${against_words(report)}`
  );
}

export function convergence_sentence(report: ReportData): string {
  const usable = report.grid.filter((cell) => cell.usable).length;
  const doubtful = report.grid.filter((cell) => cell.usable && !cell.reliable).length;
  const cells = plural(report.grid.length, "grid cell");
  const converged =
    usable === report.grid.length ? `All of ${cells} converged` : `${count(usable)} of ${cells} converged`;
  const tail = doubtful ? `; the leave-one-out numbers of ${plural(doubtful, "cell")} are doubtful.` : ".";
  return (report.grid.length === 1 && usable === 1 ? "The one grid cell converged" : converged) + tail;
}
