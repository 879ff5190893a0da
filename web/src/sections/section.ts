// A part of the page with a heading that the table of contents can point at.
import { el } from "../dom";
import type { LegendEntry } from "../chart";
import { short_name } from "../format";
import type { ReportData } from "../report_data";

export function section(id: string, title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

export const class_color = (positive: boolean): string => (positive ? "var(--positive)" : "var(--negative)");
export const class_shape = (positive: boolean): "circle" | "triangle" => (positive ? "circle" : "triangle");

export function class_legend(report: ReportData): LegendEntry[] {
  const entry = (name: string, positive: boolean): LegendEntry => ({ text: short_name(name, 24), color: class_color(positive), shape: class_shape(positive) });
  return [entry(report.positive, true), entry(report.negative, false)];
}
