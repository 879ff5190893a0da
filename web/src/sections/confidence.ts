// How sure we are: convergence of every cell, warnings with cause and cure, what was done to the data.
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { count, number, percent, plural, short_name } from "../parts/format";
import { convergence_sentence } from "../fit/headline";
import type { Outcome } from "../statistics/outcomes";
import type { Cell, LooCheck, ReportData, Warning } from "../fit/report_data";
import { section } from "./section";

export function warning_boxes(warnings: Warning[]): HTMLElement[] {
  return warnings.length ? warnings.map(warning_box) : [el("p", { class: "fine" }, "No warnings.")];
}

function warning_box(warning: Warning): HTMLElement {
  return el(
    "div",
    { class: "warning" },
    el("p", {}, el("strong", {}, `Warning: ${warning.name}. `), warning.text),
    warning.cure ? el("p", {}, el("strong", {}, "What to do: "), warning.cure) : null,
  );
}

function status_counts(grid: Cell[]): HTMLElement {
  const by_status = new Map<string, Cell[]>();
  for (const cell of grid) by_status.set(cell.status, [...(by_status.get(cell.status) ?? []), cell]);
  const items = [...by_status]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([status, cells]) => {
      const failed = cells
        .filter((cell) => !cell.usable && cell.status !== "not visited")
        .slice(0, 6)
        .map((cell) => `density ${number(cell.density)}, noise ${number(cell.noise)}`);
      const which = failed.length ? ` (${failed.join("; ")}${cells.length > failed.length ? "; \u2026" : ""})` : "";
      return el("li", {}, `${short_name(status, 80)}: ${plural(cells.length, "cell")}${which}`);
    });
  return el("ul", { class: "plain" }, ...items);
}

function cell_statuses(report: ReportData): HTMLElement {
  const of = <K extends keyof Cell>(key: K): Cell[K][] => report.grid.map((cell) => cell[key]);
  const table = data_table({
    label: "Status of every grid cell",
    columns: [
      { title: "density", values: of("density"), format: number },
      { title: "noise", values: of("noise"), format: number },
      { title: "status", values: of("status") },
      { title: "usable", values: of("usable"), hint: "converged: takes part in the choice" },
      { title: "reliable", values: of("reliable"), hint: "no: its leave-one-out numbers are doubtful" },
      { title: "iterations", values: of("iterations"), format: count },
      { title: "residual", values: of("residual"), format: number, hint: "largest change of the last iteration" },
      { title: "mixture weight", values: of("weight"), format: number },
    ],
    mark: (r) => (r === report.chosen ? "chosen" : report.grid[r]?.usable ? null : "unusable"),
  });
  return el("details", { class: "numbers" }, el("summary", {}, "Status of every cell"), table.element);
}

export function check_sentence(check: LooCheck | null | undefined, groups: boolean): string | null {
  if (!check) return null;
  const failed = check.failed ? ` ${plural(check.failed, "more refit")} did not converge.` : "";
  if (!check.refits) return failed ? `Checked by truth:${failed}` : null;
  return (
    `Checked by truth: ${plural(check.refits, groups ? "group" : "sample")} left out and refitted one at a time; probabilities moved by ` +
    `${number(check.largest_difference, 2)} at most (${number(check.mean_difference, 2)} on average), ${plural(check.changed_labels, "label")} changed.` +
    failed
  );
}

export function doubtful_sentence(outcomes: { reliable: boolean }[]): string {
  const doubtful = outcomes.filter((o) => !o.reliable).length;
  if (!doubtful) return "No sample's leave-one-out probability is marked as doubtful.";
  return `The leave-one-out probability of ${plural(doubtful, "sample")} is doubtful (marked below): leaving such a sample out changes the fit too much for a shortcut.`;
}

function optimism_sentence(report: ReportData): string | null {
  if (report.grid.length < 2 || report.options["selection"] === "evidence") return null;
  const optimism = report.choice_optimism;
  if (optimism && optimism.error !== null && optimism.log_loss !== null && report.loo_error !== null && report.loo_log_loss !== null)
    return (
      "Density and noise were chosen with the same left-out samples that give the error. The figures above are by a choice without the sample; " +
      `by one that has seen it the error would be ${percent(report.loo_error - optimism.error)} and the log loss ` +
      `${number(report.loo_log_loss - optimism.log_loss, 3)}: the difference is what the choice flatters.`
    );
  return "Density and noise were chosen with the same left-out samples that give the error, so the error is slightly optimistic; with few samples and many cells, check it on samples of another study.";
}

export function what_was_done(notes: string[]): HTMLElement | null {
  if (notes.length === 0) return null;
  return el(
    "details",
    {},
    el("summary", {}, "What was done to the data"),
    el("ul", {}, ...notes.map((note) => el("li", {}, short_name(note, 400)))),
  );
}

export function confidence(report: ReportData, outcomes: Outcome[]): HTMLElement {
  const paragraphs = [doubtful_sentence(outcomes), check_sentence(report.loo_check, !!report.sample_groups), optimism_sentence(report)].filter(
    (text) => text !== null,
  );
  return section(
    "confidence",
    "How sure are we?",
    el(
      "p",
      {},
      convergence_sentence(report),
      ` Solver: ${short_name(report.solver)}${report.solver_reason ? ` (${short_name(report.solver_reason, 200)})` : ""}.`,
    ),
    report.grid.every((cell) => cell.status === "converged") ? null : status_counts(report.grid),
    ...warning_boxes(report.warnings),
    ...paragraphs.map((text) => el("p", {}, text)),
    cell_statuses(report),
    what_was_done(report.notes),
  );
}
