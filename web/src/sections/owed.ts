// One sample under a bent boundary: what its probability owes to single features, each put to its mean.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el, text_width } from "../parts/dom";
import { class_words, is_number, percent, short_name } from "../parts/format";
import { asked, others, question_words } from "../fit/questions";
import type { Call } from "../statistics/calls";
import type { ReportData } from "../fit/report_data";

export interface OwedChart {
  element: HTMLElement; // empty where there is nothing to show
  show(call: Call, question: number): void;
}

interface Owed {
  name: string;
  without: number;
  change: number; // what the feature adds to the probability
}

/** The largest change first; empty where the question's boundary is straight or features are all alike in it. */
export function owed_of(report: ReportData, question: number, sample: number): Owed[] {
  const bent = report.contributions[question]?.bent;
  const probability = bent?.probability[sample];
  if (!bent || !is_number(probability)) return [];
  return bent.features
    .map((name, j) => ({ name: String(name), without: bent.without[sample]![j] }))
    .flatMap(({ name, without }): Owed[] => (is_number(without) ? [{ name, without, change: probability - without }] : []))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}

function draw(rows: Owed[], width: number): SVGSVGElement {
  const longest = width < 500 ? 16 : 28;
  const shown = rows.map((row, i) => ({ ...row, row: i, shown: short_name(row.name, longest) }));
  const margin = Math.min(width * 0.42, Math.max(...shown.map((r) => text_width(r.shown))) + 12);
  const signed = (v: number): string => `${v > 0 ? "+" : ""}${(100 * v).toFixed(1).replace("-", "\u2212")} %`;
  const text = { y: "row", x: "change", text: (r: Owed) => signed(r.change), fill: "currentColor", stroke: "var(--page)", strokeWidth: 3 };
  return plot({
    width,
    height: 62 + rows.length * 24,
    marginLeft: margin,
    marginRight: 14,
    marginTop: 24,
    marginBottom: 38,
    x: { domain: [-1.15, 1.15], ticks: [-1, -0.5, 0, 0.5, 1], tickFormat: (v: number) => `${v < 0 ? "\u2212" : ""}${Math.abs(100 * v)} %`, label: null, grid: true },
    y: { type: "band", domain: shown.map((r) => r.row), label: null, tickFormat: (i: number) => shown[i]?.shown ?? "", tickSize: 0, padding: 0.25 },
    color: { type: "identity" },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
      Plot.barX(shown, { y: "row", x1: 0, x2: "change", fill: (r: Owed) => (r.change >= 0 ? "var(--positive)" : "var(--negative)") }),
      Plot.text(shown.filter((r) => r.change >= 0), { ...text, textAnchor: "start", dx: 4 }),
      Plot.text(shown.filter((r) => r.change < 0), { ...text, textAnchor: "end", dx: -4 }),
    ],
  });
}

export function owed_chart(report: ReportData): OwedChart | null {
  if (!report.contributions.some((c) => c?.bent)) return null;
  let question = 0;
  let rows: Owed[] = [];
  const wanted = (): string => class_words(asked(report, question), 24);
  const sentence = el("p", { class: "readout", "aria-live": "polite" });
  const figure = chart({
    title: "What this sample owes to single features",
    label: () => `Change of the probability of ${wanted()} by single features of the chosen sample, ${question_words(report, question)}.`,
    draw: (width) => draw(rows, width),
    controls: sentence,
    below: legend([
      { text: "raises the probability", color: "var(--positive)", shape: "square" },
      { text: "lowers it", color: "var(--negative)", shape: "square" },
    ]),
    caption:
      "The probability by the bent boundary from all other samples, less the same with one feature of this sample at its mean and all others as they are. The most relevant features; they do not add up, since what one does depends on others.",
    table: () => ({
      label: `What the sample owes to single features, ${question_words(report, question)}`,
      columns: [
        { title: "feature", values: rows.map((r) => r.name) },
        { title: "probability at its mean", values: rows.map((r) => r.without), format: percent },
        { title: "difference", values: rows.map((r) => r.change), format: percent },
      ],
    }),
  });
  const element = el("div");
  const show = (call: Call, k: number): void => {
    question = k;
    rows = owed_of(report, k, call.index);
    const first = rows[0];
    element.replaceChildren(...(first ? [figure.element] : []));
    if (!first) return;
    sentence.textContent =
      `From the other samples the bent boundary gives ${short_name(call.name, 40)} ${percent(first.without + first.change)} for ${wanted()} ` +
      `(against ${class_words(others(report, k), 24)}); with ${short_name(first.name, 30)} at its mean it would be ${percent(first.without)}.`;
    figure.refresh();
  };
  return { element, show };
}
