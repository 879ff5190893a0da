// The features that have moved most, in deviations of the training samples.
import * as Plot from "@observablehq/plot";
import { chart, plot, type Chart } from "../charts/chart";
import { fit_text } from "../parts/dom";
import { is_number, number, short_name } from "../parts/format";
import type { Drift } from "./validate_data";

interface Bar {
  place: number;
  name: string;
  deviations: number;
}

function draw(bars: Bar[], width: number): SVGSVGElement {
  const marginLeft = Math.min(180, Math.floor(width * 0.35));
  const most = Math.max(1, ...bars.map((b) => Math.abs(b.deviations)));
  return plot({
    width,
    height: 56 + 30 * bars.length,
    marginLeft,
    marginRight: 24,
    marginTop: 10,
    marginBottom: 40,
    x: { domain: [-most, most], label: "shift of the mean, in training deviations", ticks: 5, labelArrow: "none", labelAnchor: "center", grid: true },
    y: { domain: bars.map((b) => b.place), label: null, tickSize: 0, tickFormat: (k: number) => fit_text(bars[k]!.name, marginLeft - 10) },
    marks: [
      Plot.barX(bars, { x: "deviations", y: "place", fill: "var(--accent)", insetTop: 4, insetBottom: 4 }),
      Plot.ruleX([0], { stroke: "currentColor" }),
      Plot.tip(
        bars,
        Plot.pointer({ x: "deviations", y: "place", title: (b: Bar) => `${short_name(b.name, 40)}\n${number(b.deviations, 3)} deviations` }),
      ),
    ],
  });
}

export function shift_chart({ worst_features }: Drift): Chart {
  const bars = worst_features.flatMap(({ name, deviations }, place): Bar[] =>
    is_number(deviations) ? [{ place, name, deviations }] : [],
  );
  return chart({
    title: "Features that have moved most",
    label: `Shift of the mean of the ${bars.length} features that have moved most, in deviations of the training samples.`,
    draw: (width) => draw(bars, width),
    caption: "Mean of the new samples less that of the training samples, after the model's preparation.",
    table: () => ({
      label: "Features that have moved most",
      columns: [
        { title: "feature", values: bars.map((b) => b.name) },
        { title: "deviations", values: bars.map((b) => b.deviations), format: number },
      ],
    }),
  });
}
