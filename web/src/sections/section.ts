// A part of the page with a heading that the table of contents can point at.
import { el, text_width } from "../parts/dom";
import { class_words, short_name } from "../parts/format";
import { asked, others } from "../fit/questions";
import type { ReportData } from "../fit/report_data";

export function section(id: string, title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

/** An axis label with a side of the question at either end, as wordy as the width allows. */
export function sides_label(report: ReportData, k: number, middle: string, pixels: number): string {
  const write = (name: (text: string) => string): string =>
    `\u2190 ${name(others(report, k))}    ${middle}    ${name(asked(report, k))} \u2192`;
  const wordings = [
    write((name) => `speaks for ${class_words(name, 12)}`),
    write((name) => class_words(name, 12)),
    write((name) => short_name(name, 12)),
    write((name) => short_name(name, 6)),
  ];
  return wordings.find((text) => text_width(text) <= pixels) ?? middle;
}
