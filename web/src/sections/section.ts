// A part of the page with a heading that the table of contents can point at.
import { el, text_width } from "../parts/dom";
import type { LegendEntry } from "../charts/chart";
import { class_words, short_name } from "../parts/format";
import type { ReportData } from "../fit/report_data";

export function section(id: string, title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

export const class_color = (positive: boolean): string => (positive ? "var(--positive)" : "var(--negative)");
export const class_shape = (positive: boolean): "circle" | "triangle" => (positive ? "circle" : "triangle");

export function class_legend(report: ReportData): LegendEntry[] {
  const entry = (name: string, positive: boolean): LegendEntry => ({
    text: class_words(name),
    color: class_color(positive),
    shape: class_shape(positive),
  });
  return [entry(report.positive, true), entry(report.negative, false)];
}

/** An axis label with a class at either end, as wordy as the width allows. */
export function sides_label(report: ReportData, middle: string, pixels: number): string {
  const write = (name: (text: string) => string): string =>
    `\u2190 ${name(report.negative)}    ${middle}    ${name(report.positive)} \u2192`;
  const wordings = [
    write((name) => `speaks for ${class_words(name, 12)}`),
    write((name) => class_words(name, 12)),
    write((name) => short_name(name, 12)),
    write((name) => short_name(name, 6)),
  ];
  return wordings.find((text) => text_width(text) <= pixels) ?? middle;
}
