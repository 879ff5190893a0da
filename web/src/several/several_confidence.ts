// How sure we are: convergence of every class, warnings with cause and cure, what was done to the data.
import { el } from "../parts/dom";
import { class_words, count, number, plural, short_name } from "../parts/format";
import { check_sentence, doubtful_sentence, warning_boxes, what_was_done } from "../sections/confidence";
import { section } from "../sections/section";
import type { Call } from "../statistics/calls";
import type { ClassFit, SeveralData } from "./several_data";

const visited = (c: ClassFit): number => c.grid.filter((cell) => cell.status !== "not visited").length;
const usable = (c: ClassFit): number => c.grid.filter((cell) => cell.usable).length;

function convergence_sentence(report: SeveralData): string {
  const sum = (size: (c: ClassFit) => number): number => report.per_class.reduce((total, c) => total + size(c), 0);
  const [all, good] = [sum(visited), sum(usable)];
  const none = report.per_class.filter((c) => usable(c) === 0);
  const which = none.length ? ` None converged of ${none.map((c) => class_words(c.name)).join(", ")}.` : "";
  return (
    `Each of the ${count(report.classes.length)} classes was solved against the rest on a grid of its own: ` +
    `${good === all ? "all" : count(good)} of ${plural(all, "visited grid cell")} converged.${which}`
  );
}

function joining_sentence(report: SeveralData): string {
  const { temperature, offset, coupling, together } = report.joining;
  const also = [offset.some((b) => b !== 0) && "an offset a class", coupling && "couplings"].filter(Boolean);
  return (
    `Their fields were joined by a softmax of temperature ${number(temperature, 3)}${also.length ? ` with ${also.join(" and ")}` : ""}, ` +
    "fitted so that no sample takes part in the joining that judges it." +
    (together ? ` A fit of all classes at once has a share of ${number(together.share, 2)} in the probabilities.` : "")
  );
}

function check_sentences(report: SeveralData): string[] {
  return report.per_class.flatMap((c) => {
    const text = check_sentence(c.loo_check, !!report.sample_groups);
    return text ? [`${class_words(c.name)} against the rest. ${text}`] : [];
  });
}

const optimism =
  "Density and noise were chosen with the same left-out samples that give the error, so the error is slightly optimistic; with few samples and many classes, check it on samples of another study.";

export function several_confidence(report: SeveralData, calls: Call[]): HTMLElement {
  const chosen = report.options["selection"] !== "evidence" && report.per_class.some((c) => c.grid.length > 1);
  const groups = report.sample_groups
    ? [`Each of the ${count(report.sample_groups)} groups of samples is left out as a whole; the interval of the error is between groups.`]
    : [];
  return section(
    "confidence",
    "How sure are we?",
    el(
      "p",
      {},
      `${convergence_sentence(report)} ${joining_sentence(report)} Solver: ${short_name(report.solver)}`,
      report.solver_reason ? ` (${short_name(report.solver_reason, 200)}).` : ".",
    ),
    ...warning_boxes(report.warnings),
    ...[...groups, doubtful_sentence(calls), ...check_sentences(report), ...(chosen ? [optimism] : [])].map((text) =>
      el("p", {}, text),
    ),
    what_was_done(report.notes),
  );
}
