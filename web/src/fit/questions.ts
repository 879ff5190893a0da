// One class, or side, against the others: what they are called, and all their cells.
import { el } from "../parts/dom";
import { class_words, short_name } from "../parts/format";
import type { Cell, ReportData } from "./report_data";

/** More than one: then each is a class against the rest. */
export const has_choice = (report: ReportData): boolean => report.questions.length > 1;

export const asked = (report: ReportData, k: number): string => report.questions[k]!.class;

/** The other class, where there is only one. */
export function others(report: ReportData, k: number): string {
  if (has_choice(report)) return "the rest";
  return report.classes.find((c) => c.name !== asked(report, k))?.name ?? "the rest";
}

/** "t against n", "BL against the rest". */
export const question_words = (report: ReportData, k: number, length = 24): string =>
  `${class_words(asked(report, k), length)} against ${class_words(others(report, k), length)}`;

export interface AskedCell {
  question: number;
  cell: Cell;
  chosen: boolean;
}

export function all_cells(report: ReportData): AskedCell[] {
  return report.questions.flatMap(({ grid, chosen }, question) =>
    grid.map((cell, i) => ({ question, cell, chosen: i === chosen })),
  );
}

/** A choice of the question that a chart shows; nothing where there is only one. */
export interface QuestionSwitch {
  element: HTMLElement | null;
  show(question: number): void; // without a call of `changed`
}

export function question_switch(report: ReportData, changed: (question: number) => void): QuestionSwitch {
  if (!has_choice(report)) return { element: null, show: () => {} };
  const options = report.questions.map((q, k) => el("option", { value: k }, short_name(q.class, 40)));
  const select = el("select", { "data-question": true }, ...options);
  select.addEventListener("change", () => changed(Number(select.value)));
  return {
    element: el("label", { class: "question" }, "Class, against the rest: ", select),
    show: (question) => (select.value = String(question)),
  };
}
