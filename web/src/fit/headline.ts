// The result in sentences: what a colleague remembers after closing the page.
import { class_words, count, is_number, number, percent, plural } from "../parts/format";
import type { Call } from "../statistics/calls";
import { all_cells, has_choice } from "./questions";
import type { ReportData } from "./report_data";

/** Samples one by one, or groups of them as a whole. */
export function left_out(report: Pick<ReportData, "sample_groups">): string {
  return report.sample_groups ? "leave-one-group-out" : "leave-one-out";
}

export type Standing = "better" | "unclear" | "worse";

/** Judged on the samples where the classifier and the guess disagree. */
export function against_guessing({ guessing, loo_error }: Pick<ReportData, "guessing" | "loo_error">): Standing {
  if (!guessing || !is_number(guessing.p_value) || guessing.p_value > 0.05) return "unclear";
  return (loo_error ?? 1) < (guessing.error ?? 0) ? "better" : "worse";
}

const guessing_words: Record<Standing, string> = {
  better: "The classifier does clearly better than guessing.",
  unclear: "These samples do not show that the classifier does better than guessing.",
  worse: "The classifier does worse than guessing: do not use it on new samples.",
};

/** "p = 0.002 by 999 permutations of the labels": nothing where there was no test. */
export function permutation_words({ permutation }: Pick<ReportData, "permutation">): string {
  if (permutation.shown === null) return "";
  return `p = ${number(permutation.p, 2)} by ${count(permutation.permutations)} permutations of the labels`;
}

/** Classes for which no cell can be used: then no number can. */
const unsolved = (report: ReportData): string[] =>
  report.questions.filter(({ grid }) => !grid.some((cell) => cell.usable)).map((q) => class_words(q.class));

/** Is there anything to find? By the labels as they are against labels dealt by chance; else against guessing. */
export function verdict(report: ReportData): { standing: Standing; text: string } {
  const standing = report.guessing ? against_guessing(report) : "unclear";
  const { shown } = report.permutation;
  const none = unsolved(report);
  if (none.length) {
    const whose = has_choice(report) ? ` of ${none.join(", ")}` : "";
    return { standing: "worse", text: `No grid cell${whose} converged: do not trust these numbers.` };
  }
  if (shown === null && !report.guessing) return { standing, text: "No sample has leave-one-out probabilities." };
  if (shown === null || standing === "worse") return { standing, text: guessing_words[standing] };
  const by = permutation_words(report);
  const [than, beyond] = report.covariates_alone ? ["the covariates alone", " beyond them"] : ["guessing", ""];
  if (shown) return { standing, text: `Better than ${than}: the features tell the classes apart${beyond}, ${by}.` };
  const unshown = `Not shown to be better than ${than}: the features are not shown to tell the classes apart${beyond}`;
  return { standing: "unclear", text: `${unshown}, ${by}.` };
}

const most_listed = 9;

/** Of two classes the one that is asked for first. */
function class_list(report: ReportData): string {
  const classes = has_choice(report) ? report.classes : [...report.classes].reverse();
  const shown = classes.slice(0, most_listed).map((c) => `${count(c.count)} ${class_words(c.name)}`);
  const more = classes.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

export function headline(report: ReportData): string {
  const [low, high] = report.loo_error_interval ?? [null, null];
  const se = is_number(report.loo_error_se) && report.loo_error !== 0 ? ` \u00b1 ${percent(report.loo_error_se)}` : "";
  const interval = is_number(high) ? ` (95\u00a0% interval ${percent(low)} to ${percent(high)})` : "";
  const guess = report.guessing ? class_words(report.guessing.class) : "the commonest class";
  return (
    `Of ${plural(report.samples, "sample")} of ${count(report.classes.length)} classes (${class_list(report)}), ` +
    `${left_out(report)} error ${percent(report.loo_error)}${se}${interval}; ` +
    `always guessing ${guess} would give ${percent(report.baseline_error)}.`
  );
}

/** What stands behind the verdict: both looks of the test. */
export function permutation_sentence({ permutation }: Pick<ReportData, "permutation">): string {
  if (permutation.shown === null) return permutation.why_none ? `No permutation test: ${permutation.why_none}.` : "";
  return (
    `The permutation test looks at all features together (p = ${number(permutation.p_together, 2)}) and at the one that ` +
    `says most (p = ${number(permutation.p_strongest, 2)}); its p, ${number(permutation.p, 2)}, allows for both looks.`
  );
}

const against_tail: Record<Standing, string> = {
  better: "",
  unclear: ", which may be chance",
  worse: ": it errs more often",
};

/** By samples, the classifier beside the guess. */
function against_words(report: ReportData): string {
  const { guessing, class_prior } = report;
  if (!guessing) return "";
  const test = class_prior ? "p" : "sign test p";
  const p = is_number(guessing.p_value) && guessing.p_value < 0.001 ? "< 0.001" : `= ${number(guessing.p_value, 2)}`;
  return (
    ` Against always guessing ${class_words(guessing.class)}, ${count(guessing.gained)} are gained and ` +
    `${count(guessing.lost)} lost (${test} ${p})${against_tail[against_guessing(report)]}.`
  );
}

/** "95.0 % n, 5.0 % t" */
export function population_words({ classes, class_prior }: ReportData): string {
  return (class_prior ?? []).map((share, k) => `${percent(share)} ${class_words(classes[k]!.name)}`).join(", ");
}

export function guessing_sentence(report: ReportData, calls: Call[]): string {
  const wrong = calls.filter((c) => c.wrong).length;
  const weighed = report.class_prior ? ` Errors weigh the samples as in a population with ${population_words(report)}.` : "";
  return (
    `${count(wrong)} of ${count(calls.length)} samples are misclassified when left out.${weighed}${against_words(report)}`
  );
}

/** Cells whose chains have not mixed, or of a solution that was restricted, are usable and have not converged. */
export function convergence_sentence(report: ReportData): string {
  const solved = all_cells(report).map(({ cell }) => cell);
  const usable = solved.filter((cell) => cell.usable);
  const doubtful = usable.filter((cell) => !cell.reliable).length;
  const none = unsolved(report);
  const ended = usable.every((cell) => cell.status === "converged") ? "converged" : "can be used";
  const whole = usable.length === solved.length;
  const cells = plural(solved.length, "grid cell");
  const found = whole && solved.length === 1 ? "the one grid cell" : `${whole ? "all" : count(usable.length)} of ${cells}`;
  const each = has_choice(report)
    ? `Each of the ${count(report.classes.length)} classes was solved against the rest on a grid of its own: `
    : "";
  const tail = doubtful ? `; the leave-one-out numbers of ${plural(doubtful, "cell")} are doubtful.` : ".";
  const which = has_choice(report) && none.length ? ` None converged of ${none.join(", ")}.` : "";
  const text = `${each}${found} ${ended}${tail}${which}`;
  return text[0]!.toUpperCase() + text.slice(1);
}
