// Predicted against observed, a dot a bin with its interval.
import * as Plot from "@observablehq/plot";
import { chart, plot, type Chart } from "./chart";
import { count, percent } from "../parts/format";
import type { Bins } from "../fit/report_data";

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
  title: string;
  label: string; // of the figure, for those who cannot see it
  caption: string;
  predicted: string; // the horizontal axis
  observed: string; // the vertical one
  hits: string; // what is observed: "12 samples, 9 <hits>"
}

interface Bin {
  samples: number;
  hits: number;
  predicted: number;
  observed: number;
  low: number;
  high: number;
}

const bins_of = (bins: Bins): Bin[] =>
  bins.samples.map((samples, i) => ({
    samples,
    hits: bins.hits[i]!,
    predicted: bins.predicted[i]!,
    observed: bins.observed[i]!,
    low: bins.low[i]!,
    high: bins.high[i]!,
  }));

function draw(bins: Bin[], words: CalibrationWords, width: number): SVGSVGElement {
  const text = (b: Bin): string =>
    `${count(b.samples)} samples, ${count(b.hits)} ${words.hits}\npredicted ${percent(b.predicted)}\nobserved ${percent(b.observed)} (${percent(b.low)} to ${percent(b.high)})`;
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

/** `bins` and `words` are asked for anew when the chart is refreshed. */
export function calibration_chart(bins: () => Bins, words: () => CalibrationWords): Chart {
  return chart({
    title: () => words().title,
    label: () => words().label,
    draw: (width) => draw(bins_of(bins()), words(), width),
    caption: words().caption,
    table: () => {
      const { samples, predicted, observed, low, high } = bins();
      return {
        label: `Calibration bins: ${words().hits}`,
        columns: [
          { title: "samples", values: samples, format: count },
          { title: "predicted", values: predicted, format: percent },
          { title: "observed", values: observed, format: percent },
          { title: "95 % from", values: low, format: percent },
          { title: "to", values: high, format: percent },
        ],
      };
    },
  });
}
