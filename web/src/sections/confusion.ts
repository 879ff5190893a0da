// Which classes are taken for which: counts in a table whose colour is the share of the true class.
import { el } from "../parts/dom";
import { class_words, count, percent, short_name } from "../parts/format";
import type { ReportData } from "../fit/report_data";
import { section } from "./section";

const strongest = 45; // per cent of colour, so that ink reads on it in both themes

function shaded(samples: number, share: number, right: boolean, what: string): HTMLElement {
  const cell = el("td", { class: "number", title: what }, samples > 0 ? count(samples) : "\u00b7");
  const color = right ? "var(--positive)" : "var(--negative)";
  if (samples > 0) cell.style.background = `color-mix(in srgb, ${color} ${8 + (strongest - 8) * share}%, var(--page))`;
  return cell;
}

function matrix(report: ReportData, rows: number[][]): HTMLElement {
  const names = report.classes.map((c) => short_name(c.name, 16));
  const head = names.map((name, k) =>
    el("th", { scope: "col", class: "number", title: report.classes[k]!.name }, name),
  );
  const row = (k: number): HTMLElement => {
    const { count: size, name } = report.classes[k]!;
    const cells = rows[k]!.map((samples, j) => {
      const what = `${class_words(name)} called ${class_words(report.classes[j]!.name)}: ${count(samples)} of ${count(size)}`;
      return shaded(samples, size ? samples / size : 0, j === k, what);
    });
    const right = size ? rows[k]![k]! / size : null;
    return el(
      "tr",
      {},
      el("th", { scope: "row", title: name }, el("bdi", {}, names[k]!)),
      ...cells,
      el("td", { class: "number" }, count(size)),
      el("td", { class: "number" }, percent(right)),
    );
  };
  const ends = ["samples", "right"].map((text) => el("th", { scope: "col", class: "number" }, text));
  return el(
    "div",
    { class: "scroll plain-table confusion", role: "region", tabindex: 0, "aria-label": "Table: confusion" },
    el(
      "table",
      { "aria-label": "Confusion: rows are true classes, columns what they are called" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "true, called"), ...head, ...ends)),
      el("tbody", {}, ...names.map((_, k) => row(k))),
    ),
  );
}

export function confusion(report: ReportData): HTMLElement | null {
  if (!report.confusion) return null;
  return section(
    "confusion",
    "Which classes are taken for which?",
    el(
      "p",
      {},
      "Rows are true classes, columns the most probable class of each sample when it is left out. The stronger the colour of a cell, the larger its share of the row; blue is right, orange wrong.",
    ),
    matrix(report, report.confusion),
  );
}
