// A figure of the paper: lines of theory, marks of experiments with their intervals.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot, type LegendEntry } from "../charts/chart";
import { is_number, number, short_name } from "../parts/format";
import { log_ticks } from "../charts/log_ticks";
import type { Lines, LineSeries } from "./reproduce_data";

const shapes = ["circle", "triangle", "square", "diamond"] as const;
const dashes = ["none", "7 3", "2 3", "8 3 2 3"];
const looks = shapes.length;

interface Point {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  series: LineSeries;
}

const color = (series: LineSeries): string => `var(--series-${series.look % looks})`;

function points(series: LineSeries): Point[] {
  return series.x.flatMap((x, i) => {
    const y = series.y[i];
    return is_number(x) && is_number(y)
      ? [{ x, y, low: series.low[i] ?? null, high: series.high[i] ?? null, series }]
      : [];
  });
}

interface Axis {
  at: (value: number) => number;
  scale: Plot.ScaleOptions;
}

function axis(values: number[], logarithmic: boolean, label: string, pixels: number): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!logarithmic || low <= 0) return { at: (v) => v, scale: { label, ticks: Math.min(8, pixels / 60), nice: true } };
  return {
    at: Math.log10,
    scale: {
      label,
      domain: [Math.log10(low), Math.log10(high)],
      ticks: log_ticks(low, high, pixels).map(Math.log10),
      tickFormat: (v: number) => number(10 ** v, 2),
    },
  };
}

function marks(part: Lines, x: Axis, y: Axis): Plot.Markish[] {
  const at = { x: (p: Point) => x.at(p.x), y: (p: Point) => y.at(p.y) };
  const drawn = part.series.flatMap((series): Plot.Markish[] => {
    const all = points(series);
    const barred = all.filter((p) => p.low !== null && p.high !== null);
    const bars = { x: at.x, y1: (p: Point) => y.at(p.low!), y2: (p: Point) => y.at(p.high!) };
    return [
      series.line
        ? Plot.line(all, {
            ...at,
            stroke: color(series),
            strokeWidth: 2,
            strokeDasharray: dashes[series.look % looks]!,
          })
        : null,
      Plot.ruleX(barred, { ...bars, stroke: color(series), strokeWidth: 1.5 }),
      series.markers
        ? Plot.dot(all, {
            ...at,
            r: all.length > 12 ? 3 : 4.5,
            symbol: shapes[series.look % looks]!,
            fill: color(series),
            stroke: "var(--page)",
            strokeWidth: 0.75,
          })
        : null,
    ];
  });
  const title = (p: Point): string => {
    const range = p.low !== null && p.high !== null ? ` (${number(p.low)} to ${number(p.high)})` : "";
    return `${p.series.name ? short_name(p.series.name, 40) + "\n" : ""}${part.x_label} ${number(p.x)}\n${part.y_label} ${number(p.y)}${range}`;
  };
  const tips = Plot.tip(part.series.flatMap(points), Plot.pointer({ ...at, title, maxRadius: 30 }));
  return [...drawn, tips];
}

function draw(part: Lines, width: number): SVGSVGElement {
  const all = part.series.flatMap(points);
  const heights = all.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]);
  const height = Math.min(400, Math.max(280, width * 0.5));
  const x = axis(
    all.map((p) => p.x),
    part.log_x,
    part.x_label,
    width - 76,
  );
  const y = axis(heights, part.log_y, part.y_label, height - 62);
  return plot({
    width,
    height,
    marginLeft: 52,
    marginRight: 24,
    marginTop: 26,
    marginBottom: 40,
    x: { labelArrow: "none", labelAnchor: "center", ...x.scale },
    y: { labelArrow: "none", grid: true, ...y.scale },
    marks: marks(part, x, y),
  });
}

function entry(series: LineSeries): LegendEntry {
  return {
    text: short_name(series.name, 60),
    color: color(series),
    shape: series.line ? "line" : shapes[series.look % looks]!,
    ...(series.line ? { dash: dashes[series.look % looks]! } : {}),
  };
}

export function line_chart(part: Lines): HTMLElement {
  const named = part.series.filter((series) => series.name);
  const all = part.series.flatMap(points);
  return chart({
    title: short_name(part.title, 160),
    label: `${part.title}: ${part.y_label} against ${part.x_label}; ${named.map((series) => series.name).join(", ")}.`,
    draw: (width) => draw(part, width),
    controls: legend(named.map(entry)),
    table: () => ({
      label: part.title,
      columns: [
        {
          title: "series",
          values: all.map(
            (p) =>
              p.series.name ||
              `marks of ${part.series.find((s) => s.name && s.look === p.series.look)?.name ?? "the same look"}`,
          ),
        },
        { title: part.x_label, values: all.map((p) => p.x), format: number },
        { title: part.y_label, values: all.map((p) => p.y), format: number },
        { title: "low", values: all.map((p) => p.low), format: number, hint: "end of the interval" },
        { title: "high", values: all.map((p) => p.high), format: number, hint: "end of the interval" },
      ],
    }),
  }).element;
}
