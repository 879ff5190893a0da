// Net benefit by threshold: of the model, of treating all, of treating none.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot, type Chart } from "../charts/chart";
import { class_words, is_number, number, percent } from "../parts/format";
import type { ClassFigures, Decision } from "./validate_data";

interface Point {
  threshold: number;
  benefit: number;
  way: Way;
}

type Way = "the model" | "treat all" | "treat none";
const looks: Record<Way, { color: string; dash: string }> = {
  "the model": { color: "var(--series-0)", dash: "none" },
  "treat all": { color: "var(--series-1)", dash: "7 3" },
  "treat none": { color: "currentColor", dash: "2 3" },
};
const ways = Object.keys(looks) as Way[];

function points(rows: Decision[], way: Way): Point[] {
  const benefit = (row: Decision) => (way === "the model" ? row.net_benefit : way === "treat all" ? row.treat_all : 0);
  return rows.flatMap((row) => {
    const value = benefit(row);
    return is_number(value) ? [{ threshold: row.threshold, benefit: value, way }] : [];
  });
}

function draw(rows: Decision[], width: number): SVGSVGElement {
  const model = points(rows, "the model");
  const top = Math.max(0.05, ...model.map((p) => p.benefit), ...points(rows, "treat all").map((p) => p.benefit));
  // Treating all falls without end: below this it says nothing more.
  const bottom = Math.max(Math.min(0, ...model.map((p) => p.benefit)), -top / 2) - top / 20;
  const text = (p: Point): string => `${p.way}\nfrom probability ${percent(p.threshold)}\nnet benefit ${number(p.benefit, 3)}`;
  const shown = (way: Way) => points(rows, way).filter((p) => p.benefit >= bottom);
  return plot({
    width,
    height: Math.min(400, Math.max(280, width * 0.5)),
    marginLeft: 52,
    marginRight: 24,
    marginTop: 26,
    marginBottom: 40,
    x: { domain: [0, 1], label: "threshold probability", ticks: 5, tickFormat: "%", labelArrow: "none", labelAnchor: "center", grid: true },
    y: { domain: [bottom, top * 1.05], label: "net benefit", ticks: 5, labelArrow: "none", grid: true },
    marks: [
      ...ways.map((way) =>
        Plot.line(shown(way), {
          x: "threshold",
          y: "benefit",
          stroke: looks[way].color,
          strokeWidth: 2,
          strokeDasharray: looks[way].dash,
        }),
      ),
      Plot.tip(ways.flatMap(shown), Plot.pointer({ x: "threshold", y: "benefit", title: text, maxRadius: 30 })),
    ],
  });
}

/** `of_class` is asked for anew when the chart is refreshed. */
export function decision_chart(of_class: () => ClassFigures): Chart {
  const rows = (): Decision[] => of_class().decision_curve;
  return chart({
    title: () => `Decision curve: ${class_words(of_class().name, 16)}`,
    label: () =>
      `Decision curve: net benefit of treating samples as ${class_words(of_class().name)} from a probability on, beside treating all and none.`,
    draw: (width) => draw(rows(), width),
    controls: legend(ways.map((text) => ({ text, color: looks[text].color, shape: "line" as const, dash: looks[text].dash }))),
    caption:
      "Net benefit: (true positives \u2212 t/(1 \u2212 t) false positives)/samples at threshold t. The model is of use where it lies above both others.",
    table: () => ({
      label: `Decision curve: ${class_words(of_class().name)}`,
      columns: [
        { title: "threshold", values: rows().map((r) => r.threshold), format: percent },
        { title: "net benefit", values: rows().map((r) => r.net_benefit), format: number },
        { title: "treat all", values: rows().map((r) => r.treat_all), format: number },
        { title: "sensitivity", values: rows().map((r) => r.sensitivity), format: percent },
        { title: "specificity", values: rows().map((r) => r.specificity), format: percent },
      ],
    }),
  });
}
