// Predicted against observed, a dot a bin with its interval.
import * as Plot from "@observablehq/plot";
import { chart, plot } from "./chart";
import { count, percent } from "../parts/format";
import type { CalibrationBin } from "../statistics/calibration";

const unit = [0, 1];
const side = (width: number): number => Math.min(width, 440);
export const square = (width: number) => ({
  width: side(width),
  height: side(width),
  marginLeft: 42,
  marginRight: 14,
  marginTop: 24,
  marginBottom: 38,
});

export interface CalibrationWords {
  label: string; // of the figure, for those who cannot see it
  caption: string;
  predicted: string; // the horizontal axis
  observed: string; // the vertical one
  hits: string; // what is observed: "12 samples, 9 <hits>"
}

function draw(bins: CalibrationBin[], words: CalibrationWords, width: number): SVGSVGElement {
  const text = (b: CalibrationBin): string =>
    `${count(b.samples)} samples, ${count(b.positives)} ${words.hits}\npredicted ${percent(b.predicted)}\nobserved ${percent(b.observed)} (${percent(b.low)} to ${percent(b.high)})`;
  return plot({
    ...square(width),
    x: { domain: unit, label: words.predicted, ticks: 5, labelArrow: "none", labelAnchor: "center", grid: true },
    y: { domain: unit, label: words.observed, ticks: 5, labelArrow: "none", grid: true },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "4 3" },
      ),
      Plot.ruleX(bins, { x: "predicted", y1: "low", y2: "high", stroke: "var(--accent)", strokeWidth: 1.5 }),
      Plot.line(bins, { x: "predicted", y: "observed", stroke: "var(--accent)", strokeOpacity: 0.5 }),
      Plot.dot(bins, { x: "predicted", y: "observed", r: 5, fill: "var(--accent)" }),
      Plot.tip(bins, Plot.pointer({ x: "predicted", y: "observed", title: text })),
    ],
  });
}

export function calibration_chart(bins: CalibrationBin[], words: CalibrationWords): HTMLElement {
  return chart({
    title: "Calibration: do the probabilities come true?",
    label: words.label,
    draw: (width) => draw(bins, words, width),
    caption: words.caption,
    table: () => ({
      label: "Calibration bins",
      columns: [
        { title: "samples", values: bins.map((b) => b.samples), format: count },
        { title: "predicted", values: bins.map((b) => b.predicted), format: percent },
        { title: "observed", values: bins.map((b) => b.observed), format: percent },
        { title: "95 % from", values: bins.map((b) => b.low), format: percent },
        { title: "to", values: bins.map((b) => b.high), format: percent },
      ],
    }),
  }).element;
}
