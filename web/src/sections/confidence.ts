// How sure we are: convergence of every cell, warnings with cause and cure, what was done to the data.
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { class_words, count, number, percent, plural, short_name } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import { convergence_sentence } from "../fit/headline";
import { all_cells, asked, has_choice, question_words, type AskedCell } from "../fit/questions";
import type { Call } from "../statistics/calls";
import type { Cell, ReportData, Warning } from "../fit/report_data";
import { section } from "./section";

function warning_box(warning: Warning): HTMLElement {
  return el(
    "div",
    { class: "warning" },
    el("p", {}, el("strong", {}, `Warning: ${warning.name}. `), warning.text),
    warning.cure ? el("p", {}, el("strong", {}, "What to do: "), warning.cure) : null,
  );
}

function warning_boxes(warnings: Warning[]): HTMLElement[] {
  return warnings.length ? warnings.map(warning_box) : [el("p", { class: "fine" }, "No warnings.")];
}

function status_counts(report: ReportData): HTMLElement {
  const by_status = new Map<string, AskedCell[]>();
  for (const one of all_cells(report))
    by_status.set(one.cell.status, [...(by_status.get(one.cell.status) ?? []), one]);
  const where = ({ question, cell }: AskedCell): string =>
    `${has_choice(report) ? `${class_words(asked(report, question))}: ` : ""}density ${number(cell.density)}, noise ${number(cell.noise)}`;
  const items = [...by_status]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([status, cells]) => {
      const failed = cells.filter(({ cell }) => !cell.usable && cell.status !== "not visited").slice(0, 6);
      const which = failed.length
        ? ` (${failed.map(where).join("; ")}${cells.length > failed.length ? "; \u2026" : ""})`
        : "";
      return el("li", {}, `${short_name(status, 80)}: ${plural(cells.length, "cell")}${which}`);
    });
  return el("ul", { class: "plain" }, ...items);
}

function cell_statuses(report: ReportData): HTMLElement {
  const cells = all_cells(report);
  const of = <K extends keyof Cell>(key: K): Cell[K][] => cells.map(({ cell }) => cell[key]);
  const table = data_table({
    label: "Status of every grid cell",
    columns: [
      ...(has_choice(report) ? [{ title: "class", values: cells.map((c) => asked(report, c.question)) }] : []),
      { title: "density", values: of("density"), format: number },
      { title: "noise", values: of("noise"), format: number },
      { title: "status", values: of("status") },
      { title: "usable", values: of("usable"), hint: "converged: takes part in the choice" },
      { title: "reliable", values: of("reliable"), hint: "no: its leave-one-out numbers are doubtful" },
      { title: "iterations", values: of("iterations"), format: count },
      { title: "residual", values: of("residual"), format: number, hint: "largest change of the last iteration" },
      { title: "mixture weight", values: of("weight"), format: number },
    ],
    mark: (r) => (cells[r]?.chosen ? "chosen" : cells[r]?.cell.usable ? null : "unusable"),
  });
  return el("details", { class: "numbers" }, el("summary", {}, "Status of every cell"), table.element);
}

/** What refits without single samples, or groups of them, said of the shortcut. */
function check_table(report: ReportData): HTMLElement | null {
  const checked = report.questions.flatMap((q, k) => (q.loo_check ? [{ k, check: q.loo_check }] : []));
  if (checked.length === 0) return null;
  const what = report.sample_groups > 0 ? "groups" : "samples";
  return el(
    "div",
    {},
    el("p", {}, `Checked by truth: ${what} left out and refitted one at a time, and how far that moved their probabilities.`),
    plain_table(
      "leave-one-out checked by refits",
      ["refits", `${what} that say something`, "largest move", "mean move", "labels changed", "did not converge"],
      checked.map(({ k, check }) => [
        question_words(report, k, 16),
        count(check.refits),
        check.refits ? number(check.largest_difference, 2) : "",
        check.refits ? number(check.mean_difference, 2) : "",
        check.refits ? count(check.changed_labels) : "",
        count(check.failed),
      ]),
    ),
  );
}

/** How the probabilities of the questions became those of the classes. */
function calibration_sentence({ calibration }: ReportData): string | null {
  const { temperature, offset, coupling, together, recalibrated } = calibration;
  if (temperature === null)
    return recalibrated ? "The probabilities were too sure or not sure enough when left out, and have been corrected." : null;
  const also = [offset?.some((b) => b !== 0) && "an offset a class", coupling && "couplings"].filter(Boolean);
  return (
    `The fields of the classes were joined by a softmax of temperature ${number(temperature, 3)}${also.length ? ` with ${also.join(" and ")}` : ""}, ` +
    "fitted so that no sample takes part in the joining that judges it." +
    (together ? ` A fit of all classes at once has a share of ${number(together.share, 2)} in the probabilities.` : "")
  );
}

function doubtful_sentence(calls: Call[]): string {
  const doubtful = calls.filter((c) => !c.reliable).length;
  if (!doubtful) return "No sample's leave-one-out probability is marked as doubtful.";
  return `The leave-one-out probability of ${plural(doubtful, "sample")} is doubtful (marked below): leaving such a sample out changes the fit too much for a shortcut.`;
}

function optimism_sentence(report: ReportData): string | null {
  if (report.questions.every((q) => q.grid.length < 2) || report.options["selection"] === "evidence") return null;
  const optimism = report.choice_optimism;
  if (optimism && optimism.error !== null && optimism.log_loss !== null && report.loo_error !== null && report.loo_log_loss !== null)
    return (
      "Density and noise were chosen with the same left-out samples that give the error. The figures above are by a choice without the sample; " +
      `by one that has seen it the error would be ${percent(report.loo_error - optimism.error)} and the log loss ` +
      `${number(report.loo_log_loss - optimism.log_loss, 3)}: the difference is what the choice flatters.`
    );
  return "Density and noise were chosen with the same left-out samples that give the error, so the error is slightly optimistic; with few samples and many cells, check it on samples of another study.";
}

function what_was_done(notes: string[]): HTMLElement | null {
  if (notes.length === 0) return null;
  return el(
    "details",
    {},
    el("summary", {}, "What was done to the data"),
    el("ul", {}, ...notes.map((note) => el("li", {}, short_name(note, 400)))),
  );
}

export function confidence(report: ReportData, calls: Call[]): HTMLElement {
  const paragraphs = [
    calibration_sentence(report),
    doubtful_sentence(calls),
    optimism_sentence(report),
  ].filter((text) => text !== null);
  const odd = all_cells(report).some(({ cell }) => cell.status !== "converged" && cell.status !== "not visited");
  return section(
    "confidence",
    "How sure are we?",
    el(
      "p",
      {},
      convergence_sentence(report),
      ` Solver: ${short_name(report.solver)}${report.solver_reason ? ` (${short_name(report.solver_reason, 200)})` : ""}.`,
    ),
    odd ? status_counts(report) : null,
    ...warning_boxes(report.warnings),
    ...paragraphs.map((text) => el("p", {}, text)),
    check_table(report),
    cell_statuses(report),
    what_was_done(report.notes),
  );
}
