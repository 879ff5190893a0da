// Would more samples help? The error on parts of the table and beyond it, never without its interval.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { count, is_number, percent } from "../parts/format";
import { log_ticks } from "../charts/log_ticks";
import type { Forecast, ReportData } from "../fit/report_data";
import { section } from "./section";

interface Point {
  n: number;
  error: number;
  low: number;
  high: number;
}

function points_of({ points }: Forecast): Point[] {
  return points.flatMap(({ samples, error, interval: [low, high] }) =>
    is_number(error) && is_number(low) && is_number(high) ? [{ n: samples, error, low, high }] : [],
  );
}

function draw(points: Point[], here: number, width: number): SVGSVGElement {
  const [low, high] = [points[0]!.n, points.at(-1)!.n];
  const top = Math.max(0.05, ...points.map((p) => p.high)) * 1.05;
  // In log10 by hand: a logarithmic scale of Plot leaves out labels that were asked for.
  const x = (p: { n: number }): number => Math.log10(p.n);
  const text = (p: Point): string =>
    `${count(p.n)} samples\nerror ${percent(p.error)} (${percent(p.low)} to ${percent(p.high)})`;
  return plot({
    width,
    height: Math.min(360, Math.max(250, width * 0.45)),
    marginLeft: 44,
    marginRight: 20,
    marginTop: 24,
    marginBottom: 38,
    x: {
      domain: [Math.log10(low), Math.log10(high)],
      label: "samples",
      labelArrow: "none",
      labelAnchor: "center",
      ticks: log_ticks(low, high, width - 64).map(Math.log10),
      tickFormat: (v: number) => count(10 ** v),
    },
    y: {
      domain: [0, top],
      label: "error on new samples",
      labelArrow: "none",
      ticks: 5,
      tickFormat: (e: number) => `${Number((100 * e).toFixed(1))} %`,
      grid: true,
    },
    marks: [
      Plot.areaY(points, { x, y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.18 }),
      Plot.ruleX([Math.log10(here)], { stroke: "currentColor", strokeDasharray: "4 3" }),
      Plot.line(points, { x, y: "error", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(points, { x, y: "error", r: 3.5, fill: "var(--accent)" }),
      Plot.tip(points, Plot.pointerX({ x, y: "error", title: text })),
    ],
  });
}

function sentence(points: Point[], here: number): string {
  const last = points.at(-1)!;
  if (last.n <= here) return "";
  return (
    `With ${count(last.n)} samples instead of ${count(here)}, expect an error of ${percent(last.error)}, ` +
    `with an interval of 80\u00a0% from ${percent(last.low)} to ${percent(last.high)}.`
  );
}

export function forecast(report: ReportData): HTMLElement | null {
  const points = report.forecast ? points_of(report.forecast) : [];
  if (points.length === 0) return null;
  const here = report.samples;
  const said = sentence(points, here);
  const figure = chart({
    title: "Expected error against the number of samples",
    label: `Expected error with its 80 % interval, from ${count(points[0]!.n)} to ${count(points.at(-1)!.n)} samples. ${said}`,
    draw: (width) => draw(points, here, width),
    controls: legend([
      { text: "expected error", color: "var(--accent)", shape: "line" },
      { text: "interval of 80 %", color: "color-mix(in srgb, var(--accent) 18%, var(--page))", shape: "square" },
    ]),
    caption:
      "The error on a quarter, a half and three quarters of the samples, of a kernel of all features, brought to pass through the error of this fit, and on to twice the samples at most. The dashed line is the samples at hand. The interval is mostly that of the error itself: with few samples it is not known better, and no forecast from them is.",
    table: () => ({
      label: "Expected error",
      columns: [
        { title: "samples", values: points.map((p) => p.n), format: count },
        { title: "expected error", values: points.map((p) => p.error), format: percent },
        { title: "80 % from", values: points.map((p) => p.low), format: percent },
        { title: "to", values: points.map((p) => p.high), format: percent },
      ],
    }),
  });
  return section("learning", "Would more samples help?", said !== "" && el("p", {}, said), figure.element);
}
