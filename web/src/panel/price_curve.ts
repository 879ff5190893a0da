// What each feature fewer costs: error and log loss by size with their bands, and the fit of all features as a line.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { is_number, number, percent, plural, short_name } from "../parts/format";
import type { PanelData, PanelPrice, PanelSize } from "./panel_data";
import { nats, signed, suggestion } from "./panel_words";
import { data_table } from "../parts/data_table";
import { section } from "../sections/section";

interface Measure {
  title: string;
  axis: string;
  band: string; // what it is
  value: (price: PanelPrice) => number | null;
  ends: (price: PanelPrice) => [number | null, number | null];
  format: (value: number | null) => string;
  tick: (value: number) => string;
}

const measures: Measure[] = [
  {
    title: "Error by size",
    axis: "error",
    band: "interval of 95 %",
    value: (price) => price.error,
    ends: (price) => price.error_interval ?? [null, null],
    format: percent,
    tick: (e) => `${Number((100 * e).toFixed(1))} %`,
  },
  {
    title: "Log loss by size",
    axis: "log loss, nats",
    band: "\u00b1 one standard error",
    value: (price) => price.log_loss,
    ends: ({ log_loss, log_loss_se }) =>
      is_number(log_loss) && is_number(log_loss_se) ? [log_loss - log_loss_se, log_loss + log_loss_se] : [null, null],
    format: nats,
    tick: (v) => String(Number(v.toFixed(2))),
  },
];

interface Point {
  size: number;
  row: PanelSize;
  value: number;
  low: number;
  high: number;
}

function points_of(data: PanelData, measure: Measure): Point[] {
  return data.sizes.flatMap((row) => {
    const value = measure.value(row);
    const [low, high] = measure.ends(row);
    return is_number(value) && is_number(low) && is_number(high) ? [{ size: row.size, row, value, low, high }] : [];
  });
}

/** Sizes with room for their numbers. */
function size_ticks(most: number, pixels: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100].find((s) => (most / s) * 26 <= pixels) ?? 200;
  const multiples = Array.from({ length: Math.floor(most / step) }, (_, i) => step * (i + 1));
  return step === 1 ? multiples : [1, ...multiples];
}

function draw(data: PanelData, measure: Measure, width: number): SVGSVGElement {
  const points = points_of(data, measure);
  const most = Math.max(2, data.sizes.length);
  const whole = measure.value(data.whole);
  const [low, high] = measure.ends(data.whole);
  const known = [...points.map((p) => p.high), whole, high].filter(is_number);
  const text = (p: Point): string =>
    `${plural(p.size, "feature")} (adds ${short_name(p.row.adds, 24)})\n${measure.axis} ${measure.format(p.value)}` +
    ` (${measure.format(p.low)} to ${measure.format(p.high)})`;
  return plot({
    width,
    height: Math.min(340, Math.max(240, width * 0.6)),
    marginLeft: 46,
    marginRight: 16,
    marginTop: 24,
    marginBottom: 38,
    x: {
      domain: [1, most],
      label: "features in the panel",
      labelAnchor: "center",
      labelArrow: "none",
      ticks: size_ticks(most, width - 62),
      tickFormat: (v: number) => String(v),
    },
    y: {
      domain: [0, Math.max(0.05, ...known) * 1.05],
      label: measure.axis,
      labelArrow: "none",
      ticks: 5,
      tickFormat: measure.tick,
      grid: true,
    },
    marks: [
      is_number(low) && is_number(high)
        ? Plot.rect([{ x1: 1, x2: most, y1: Math.max(0, low), y2: high }], {
            x1: "x1",
            x2: "x2",
            y1: "y1",
            y2: "y2",
            fill: "var(--faint)",
            fillOpacity: 0.18,
          })
        : null,
      Plot.areaY(points, { x: "size", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.18 }),
      Plot.ruleY(is_number(whole) ? [whole] : [], { stroke: "currentColor", strokeWidth: 1.5, strokeDasharray: "6 3" }),
      Plot.ruleX(data.suggested === null ? [] : [data.suggested], { stroke: "currentColor", strokeDasharray: "2 3" }),
      Plot.line(points, { x: "size", y: "value", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(points, { x: "size", y: "value", r: 3.5, fill: "var(--accent)" }),
      Plot.tip(points, Plot.pointerX({ x: "size", y: "value", title: text })),
    ],
  });
}

function figure(data: PanelData, measure: Measure): HTMLElement {
  const points = points_of(data, measure);
  const ends = [points[0], points.at(-1)].filter((p) => p !== undefined);
  const said = ends.map((p) => `${measure.format(p.value)} with ${plural(p.size, "feature")}`).join(", ");
  return chart({
    title: measure.title,
    label: `${measure.title}: ${said}; the fit of all features ${measure.format(measure.value(data.whole))}.`,
    draw: (width) => draw(data, measure, width),
    table: () => ({
      label: measure.title,
      columns: [
        { title: "features", values: points.map((p) => p.size) },
        { title: measure.axis, values: points.map((p) => p.value), format: measure.format },
        { title: "from", values: points.map((p) => p.low), format: measure.format, hint: measure.band },
        { title: "to", values: points.map((p) => p.high), format: measure.format, hint: measure.band },
      ],
    }),
  }).element;
}

function price_table(data: PanelData): HTMLElement {
  const of = <T>(read: (row: PanelSize) => T): T[] => data.sizes.map(read);
  const costs = data.sizes.some((row) => row.cost !== row.size);
  return data_table({
    label: "The price of every size",
    mark: (row) => (data.sizes[row]!.size === data.suggested ? "chosen" : null),
    columns: [
      { title: "size", values: of((row) => row.size) },
      { title: "adds", values: of((row) => row.adds), format: (name: string) => short_name(name, 40) },
      { title: "error", values: of((row) => row.error), format: percent },
      { title: "log loss", values: of((row) => row.log_loss), format: nats },
      {
        title: "over whole",
        values: of((row) => row.log_loss_more),
        format: (v: number | null) => signed(v),
        hint: "how much more log loss than the fits of all features in the same folds",
      },
      { title: "\u00b1", values: of((row) => row.log_loss_more_se), format: nats },
      ...(data.classes.length === 2
        ? [
            { title: "AUC", values: of((row) => row.auc), format: (v: number | null) => number(v, 3) },
            { title: "sensitivity", values: of((row) => row.sensitivity), format: percent },
            { title: "specificity", values: of((row) => row.specificity), format: percent },
          ]
        : []),
      ...(costs ? [{ title: "cost", values: of((row) => row.cost), format: number }] : []),
    ],
  }).element;
}

export function price_curve(data: PanelData): HTMLElement {
  const deals = data.repeats > 1 ? `, dealt ${data.repeats} times` : "";
  return section(
    "price",
    "What does each feature fewer cost?",
    suggestion(data) !== "" && el("p", {}, suggestion(data)),
    legend([
      { text: "panels, with their band", color: "var(--accent)", shape: "line" },
      { text: "the fit of all features", color: "currentColor", shape: "line", dash: "6 3" },
      ...(data.suggested === null
        ? []
        : [{ text: "suggested size", color: "currentColor", shape: "line" as const, dash: "2 3" }]),
    ]),
    el("div", { class: "pair" }, ...measures.map((measure) => figure(data, measure))),
    el(
      "p",
      { class: "remark" },
      `By ${data.folds} folds${deals}: fit and search are done again without each, and judged on it. Bands: the error's ` +
        "interval of 95\u00a0%, the log loss \u00b1 one standard error; the same samples make both curves, so that the " +
        "difference to the whole fit is known better than either (\u201cover whole\u201d).",
    ),
    price_table(data),
  );
}
