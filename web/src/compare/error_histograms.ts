// The test errors of every split: a histogram a method on one axis, with its mean and standard deviation under it.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { fit_text, text_width } from "../parts/dom";
import { count, is_number, percent } from "../parts/format";
import type { CompareData, MethodRow } from "./compare_data";
import { guessing_error, method_name } from "./compare_words";

export interface Bin {
  method: string;
  low: number;
  high: number;
  splits: number;
}

/** Bins centred on whole numbers of errors (halves where a probability of exactly 1/2 occurred), at most about 30. */
export function error_bins(data: CompareData): Bin[] {
  const { error, method, test } = data.splits;
  const known = error.map((e, i) => ({ e, method: method[i]!, n: test[i]! })).filter((row) => is_number(row.e));
  if (known.length === 0) return [];
  const samples = Math.max(1, ...known.map((row) => row.n));
  const halves = known.some((row) => Math.abs(((row.e! * row.n) % 1) - 0.5) < 1e-6);
  const finest = 1 / (halves ? 2 * samples : samples);
  const errors = known.map((row) => row.e!);
  const step = finest * Math.max(1, Math.ceil((Math.max(...errors) - Math.min(...errors)) / finest / 30));
  const bins = new Map<string, Bin>();
  for (const row of known) {
    const at = Math.round(row.e! / step);
    const key = `${at} ${row.method}`;
    const bin = bins.get(key) ?? { method: row.method, low: (at - 0.5) * step, high: (at + 0.5) * step, splits: 0 };
    bins.set(key, { ...bin, splits: bin.splits + 1 });
  }
  return [...bins.values()];
}

const first_color = (data: CompareData, method: string): string =>
  method === data.methods[0]!.method ? "var(--positive)" : "var(--faint)";

function draw(data: CompareData, bins: Bin[], width: number): SVGSVGElement {
  const names = data.methods.map((row) => row.method);
  const tallest = Math.max(1, ...bins.map((bin) => bin.splits));
  const guess = guessing_error(data);
  const ends = data.methods.map((row) => (row.error ?? 0) + (row.sd ?? 0));
  const right = Math.min(1, Math.max(0.05, guess ?? 0, ...bins.map((bin) => bin.high), ...ends) * 1.02);
  const below = (row: MethodRow): [number, number] => [
    Math.max(0, row.error! - (row.sd ?? 0)),
    row.error! + (row.sd ?? 0),
  ];
  const known = data.methods.filter((row) => is_number(row.error));
  const marginLeft = Math.min(width * 0.3, 14 + Math.max(...names.map((name) => text_width(method_name(name), 12))));
  return plot({
    width,
    height: 84 * names.length + 44,
    marginLeft,
    marginRight: 14,
    marginTop: 6,
    marginBottom: 38,
    x: {
      domain: [0, right],
      label: "error on the test samples",
      labelArrow: "none",
      labelAnchor: "center",
      ticks: width < 500 ? 5 : 8,
      tickFormat: (e: number) => `${Number((100 * e).toFixed(1))} %`,
      grid: true,
    },
    y: { axis: null, domain: [-0.35 * tallest, 1.1 * tallest] },
    fy: {
      domain: names,
      label: null,
      axis: "left",
      tickFormat: (name: string) => fit_text(name, marginLeft - 12),
      padding: 0.06,
    },
    color: { type: "identity" },
    marks: [
      Plot.rect(bins, {
        fy: "method",
        x1: (bin: Bin) => Math.max(0, bin.low),
        x2: "high",
        y1: 0,
        y2: "splits",
        fill: (bin: Bin) => first_color(data, bin.method),
        insetLeft: 0.5,
        insetRight: 0.5,
        title: (bin: Bin) => `${count(bin.splits)} splits with error ${percent((bin.low + bin.high) / 2)}`,
      }),
      Plot.ruleY(names, { fy: (name: string) => name, y: 0, stroke: "currentColor", strokeOpacity: 0.5 }),
      guess === null
        ? null
        : Plot.ruleX([guess], { stroke: "var(--negative)", strokeDasharray: "4 3", strokeWidth: 1.5 }),
      Plot.ruleY(known, {
        fy: "method",
        y: -0.18 * tallest,
        x1: (row: MethodRow) => below(row)[0],
        x2: (row: MethodRow) => Math.min(right, below(row)[1]),
        stroke: "currentColor",
        strokeWidth: 2,
      }),
      Plot.dot(known, { fy: "method", y: -0.18 * tallest, x: "error", r: 4.5, fill: "currentColor" }),
    ],
  });
}

export function error_histograms(data: CompareData): HTMLElement {
  const bins = error_bins(data);
  const means = data.methods.map((row) => `${method_name(row.method)} ${percent(row.error)}`).join(", ");
  return chart({
    title: "Test error of every split",
    label: `Histograms of the test error over the splits, one for each method. Means: ${means}.`,
    draw: (width) => draw(data, bins, width),
    controls: legend([
      { text: method_name(data.methods[0]!.method), color: "var(--positive)", shape: "square" },
      ...(data.methods.length > 1 ? [{ text: "other methods", color: "var(--faint)", shape: "square" } as const] : []),
      { text: "mean \u00b1 one standard deviation", color: "currentColor", shape: "circle" },
      { text: "always guessing the commonest class", color: "var(--negative)", shape: "line" },
    ]),
    caption:
      "Height: how many splits had that error. The standard deviation is that of single splits; it does not shrink with more of them.",
    table: () => ({
      label: "How many splits had which error",
      columns: [
        { title: "method", values: bins.map((bin) => bin.method) },
        { title: "error", values: bins.map((bin) => (bin.low + bin.high) / 2), format: percent },
        { title: "splits", values: bins.map((bin) => bin.splits), format: count },
      ],
    }),
  }).element;
}
