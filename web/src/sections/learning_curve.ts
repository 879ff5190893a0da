// Would more samples help? The learning curve from theory, beside what was seen.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot, type LegendEntry } from "../charts/chart";
import { el } from "../parts/dom";
import { count, is_number, percent } from "../parts/format";
import { log_ticks } from "../charts/log_ticks";
import { learning_sentence } from "../statistics/learning";
import type { LearningCurve, ReportData } from "../fit/report_data";
import { section } from "./section";

function draw(curve: LearningCurve, report: ReportData, width: number): SVGSVGElement {
  const line = curve.samples
    .map((n, i) => ({ n, e: curve.error[i] }))
    .filter((p): p is { n: number; e: number } => is_number(p.e));
  const here = is_number(report.loo_error)
    ? [{ n: curve.current_samples, e: report.loo_error, se: is_number(report.loo_error_se) ? report.loo_error_se : 0 }]
    : [];
  const low = Math.min(...curve.samples, curve.current_samples);
  const last = Math.max(...curve.samples, curve.current_samples);
  const high = Math.max(last, log_ticks(low, 1.1 * last, width).at(-1) ?? last);
  const top = Math.max(0.05, ...line.map((p) => p.e), ...here.map((p) => p.e + p.se)) * 1.08;
  // In log10 by hand: a logarithmic scale of Plot leaves out labels that were asked for.
  const x = (p: { n: number }): number => Math.log10(p.n);
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
      Plot.ruleX([Math.log10(curve.current_samples)], { stroke: "currentColor", strokeDasharray: "4 3" }),
      Plot.line(line, { x, y: "e", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(line, { x, y: "e", r: 2.5, fill: "var(--accent)" }),
      Plot.ruleX(here, {
        x,
        y1: (p: { e: number; se: number }) => Math.max(0, p.e - p.se),
        y2: (p: { e: number; se: number }) => p.e + p.se,
        stroke: "var(--negative)",
        strokeWidth: 2,
      }),
      Plot.dot(here, { x, y: "e", r: 5, fill: "var(--negative)", symbol: "triangle" }),
      Plot.tip(
        line,
        Plot.pointerX({
          x,
          y: "e",
          title: (p: { n: number; e: number }) => `${count(p.n)} samples\nexpected error ${percent(p.e)}`,
        }),
      ),
    ],
  });
}

export function learning_curve(report: ReportData): HTMLElement | null {
  const curve = report.learning_curve;
  if (!curve || curve.samples.length === 0) return null;
  const sentence = learning_sentence(curve, report.loo_error, report.loo_error_se);
  const entries: LegendEntry[] = [
    { text: "theory", color: "var(--accent)", shape: "line" },
    { text: "leave-one-out error of this fit, \u00b1 one standard error", color: "var(--negative)", shape: "triangle" },
  ];
  const figure = chart({
    title: "Expected error against the number of samples",
    label: `Learning curve from theory, from ${count(curve.samples[0])} to ${count(curve.samples.at(-1))} samples. ${sentence}`,
    draw: (width) => draw(curve, report, width),
    controls: legend(entries),
    caption: `Assumptions: ${curve.assumptions}`,
    table: () => ({
      label: "Learning curve",
      columns: [
        { title: "samples", values: curve.samples, format: count },
        { title: "expected error", values: curve.error, format: percent },
      ],
    }),
  });
  return section("learning", "Would more samples help?", el("p", {}, sentence), figure.element);
}
