// How often each value was chosen: a bar a value, values down the side, where their labels never meet.
import * as Plot from "@observablehq/plot";
import { chart, plot } from "./chart";
import { fit_text, text_width } from "../parts/dom";
import { count, short_name } from "../parts/format";

export interface ValueBars {
  title: string;
  label: string;
  value_label: string; // "density"
  count_label: string; // "splits"
  values: { value: string; count: number }[]; // in the order shown, from the top
  most?: number; // the end of the axis, for panels that are compared
}

function draw(options: ValueBars, width: number): SVGSVGElement {
  const { values } = options;
  const most = Math.max(1, options.most ?? 0, ...values.map((v) => v.count));
  const marginLeft = Math.min(width * 0.4, 14 + Math.max(...values.map((v) => text_width(short_name(v.value)))));
  return plot({
    width,
    height: 20 * values.length + 42,
    marginLeft,
    marginRight: 14 + text_width(count(most)),
    marginTop: 4,
    marginBottom: 38,
    x: {
      domain: [0, most],
      label: options.count_label,
      ticks: Math.min(5, most),
      tickFormat: "d",
      labelArrow: "none",
      labelAnchor: "center",
      grid: true,
    },
    y: {
      domain: values.map((v) => v.value),
      label: null,
      tickSize: 0,
      padding: 0.2,
      tickFormat: (value: string) => fit_text(value, marginLeft - 12),
    },
    marks: [
      Plot.barX(values, { y: "value", x: "count", fill: "var(--accent)" }),
      Plot.text(
        values.filter((v) => v.count > 0),
        {
          y: "value",
          x: "count",
          text: (v: { count: number }) => count(v.count),
          dx: 4,
          textAnchor: "start",
          fill: "currentColor",
        },
      ),
      Plot.ruleX([0], { stroke: "currentColor" }),
    ],
  });
}

export function value_bars(options: ValueBars): HTMLElement {
  return chart({
    title: options.title,
    label: options.label,
    draw: (width) => draw(options, width),
    table: () => ({
      label: options.title,
      columns: [
        { title: options.value_label, values: options.values.map((v) => v.value) },
        { title: options.count_label, values: options.values.map((v) => v.count), format: count },
      ],
    }),
  }).element;
}
