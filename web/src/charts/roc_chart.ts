// The ROC as a line from (0, 0) to (1, 1).
import * as Plot from "@observablehq/plot";
import type { Num, Roc } from "../fit/report_data";
import { is_number, percent, probability } from "../parts/format";
import { square } from "./calibration_chart";
import { chart, plot, type Chart } from "./chart";

const unit = [0, 1];

interface Point {
  threshold: Num;
  x: number;
  y: number;
}

const threshold_words = (p: Num): string => (is_number(p) ? probability(p) : "above all");

function draw(points: Point[], words: string, width: number): SVGSVGElement {
  const text = (p: Point): string =>
    `from probability ${threshold_words(p.threshold)}\ntrue positives ${percent(p.y)}\nfalse positives ${percent(p.x)}`;
  return plot({
    ...square(width),
    x: { domain: unit, label: "false positive rate", ticks: 5, labelArrow: "none", labelAnchor: "center", grid: true },
    y: { domain: unit, label: "true positive rate", ticks: 5, labelArrow: "none", grid: true },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "4 3" },
      ),
      Plot.line(points, { x: "x", y: "y", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.text([words], { x: 0.97, y: 0.06, textAnchor: "end", fontSize: 12, fontWeight: 600, fill: "currentColor" }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: text })),
    ],
  });
}

export interface RocWords {
  title: string;
  label: string; // of the figure, for those who cannot see it
  caption: string;
  auc: string; // in the figure
  table: string;
}

/** `roc` and `words` are asked for anew when the chart is refreshed. */
export function roc_chart(roc: () => Roc, words: () => RocWords): Chart {
  const points = (): Point[] => {
    const { threshold, false_positive, true_positive } = roc();
    return threshold.map((t, i) => ({ threshold: t, x: false_positive[i]!, y: true_positive[i]! }));
  };
  return chart({
    title: () => words().title,
    label: () => words().label,
    draw: (width) => draw(points(), words().auc, width),
    caption: words().caption,
    table: () => ({
      label: words().table,
      columns: [
        { title: "threshold", values: roc().threshold, format: threshold_words },
        { title: "true positives", values: roc().true_positive, format: percent },
        { title: "false positives", values: roc().false_positive, format: percent },
      ],
    }),
  });
}
