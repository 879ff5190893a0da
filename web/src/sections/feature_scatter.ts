// Inclusion against weight, a dot a feature, of one question at a time.
import * as Plot from "@observablehq/plot";
import { add_labels, chart, legend, plot, type Chart } from "../charts/chart";
import { thin } from "../charts/thin";
import { el } from "../parts/dom";
import { is_number, number, plural, probability, short_name } from "../parts/format";
import { has_choice, question_switch, question_words } from "../fit/questions";
import type { ReportData } from "../fit/report_data";
import { sides_label } from "./section";

interface Point {
  row: number;
  name: string;
  inclusion: number;
  weight: number;
}

const margins = { marginLeft: 40, marginRight: 16, marginTop: 40, marginBottom: 36 };

function points_of(report: ReportData, k: number): Point[] {
  const { name, class_inclusion, class_weight } = report.feature_table;
  return name
    .map((n, row) => ({ row, name: String(n), inclusion: class_inclusion[row]?.[k], weight: class_weight[row]?.[k] }))
    .filter((p): p is Point => is_number(p.inclusion) && is_number(p.weight))
    .sort((a, b) => b.inclusion - a.inclusion || Math.abs(b.weight) - Math.abs(a.weight));
}

/** Weights on both sides of 0 at one scale. */
function weight_limit(points: Point[]): number {
  const largest = points.reduce((max, p) => Math.max(max, Math.abs(p.weight)), 0);
  return largest > 0 ? largest * 1.08 : 1;
}

/** The top of the chart: 1, unless all inclusions are so small that they would lie on its floor. */
function inclusion_limit(points: Point[]): number {
  const largest = points[0]?.inclusion ?? 1;
  return largest < 0.45 ? Math.max(0.02, 1.15 * largest) : 1;
}

function draw(report: ReportData, k: number, threshold: number, width: number): SVGSVGElement {
  const all = points_of(report, k);
  const height = Math.min(440, Math.max(300, width * 0.6));
  const limit = weight_limit(all);
  const across = width - margins.marginLeft - margins.marginRight;
  const x = (w: number): number => margins.marginLeft + ((w + limit) / (2 * limit)) * across;
  const top = inclusion_limit(all);
  const y = (p: number): number =>
    margins.marginTop + (1 - p / top) * (height - margins.marginTop - margins.marginBottom);
  const points = thin(
    all.map((p) => ({ x: x(p.weight), y: y(p.inclusion) })),
    3,
  ).map((i) => all[i]!);
  const tip = (p: Point): string =>
    `${short_name(p.name, 30)}\ninclusion ${probability(p.inclusion)}\nweight ${number(p.weight, 3)}`;
  const svg = plot({
    width,
    height,
    ...margins,
    x: {
      domain: [-limit, limit],
      label: sides_label(report, k, "weight", across),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: Math.max(3, Math.min(9, Math.floor(width / 80))),
      grid: true,
    },
    y: { domain: [0, top], label: "inclusion probability", ticks: 5, labelArrow: "none", grid: true },
    color: { type: "identity" },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      Plot.ruleY(threshold <= top ? [threshold] : [], { stroke: "currentColor", strokeDasharray: "4 3" }),
      Plot.dot(points, {
        x: "weight",
        y: "inclusion",
        r: 3,
        fill: (p: Point) => (p.inclusion >= threshold ? "var(--accent)" : "var(--faint)"),
        stroke: "var(--page)",
        strokeWidth: 0.5,
      }),
      Plot.tip(points, Plot.pointer({ x: "weight", y: "inclusion", title: tip, maxRadius: 30 })),
    ],
  });
  const dots = points.map((p) => ({ x: x(p.weight), y: y(p.inclusion) }));
  const labels = all
    .slice(0, 20)
    .filter((p) => p.inclusion > Math.min(0.1, 0.3 * top))
    .map((p) => ({ x: x(p.weight), y: y(p.inclusion), text: short_name(p.name, 18) }));
  add_labels(svg, labels, dots, {
    left: margins.marginLeft,
    right: width,
    top: 16,
    bottom: height - margins.marginBottom,
  });
  return svg;
}

function label(report: ReportData, k: number): string {
  const points = points_of(report, k);
  const most = points.slice(0, 5).map((p) => short_name(p.name, 20));
  return `Inclusion probability against weight of ${plural(points.length, "feature")}, ${question_words(report, k)}; the most included are ${most.join(", ")}.`;
}

export function feature_scatter(report: ReportData, threshold: () => number): Chart {
  // First the class that has the most included feature.
  let shown = Math.max(0, report.questions.findIndex((q) => q.class === report.feature_table.class[0]));
  const choice = question_switch(report, (k) => {
    shown = k;
    figure.refresh();
  });
  const figure = chart({
    title: () =>
      `Inclusion probability against weight${has_choice(report) ? `: ${question_words(report, shown, 16)}` : ""}`,
    label: () => label(report, shown),
    draw: (width) => draw(report, shown, threshold(), width),
    controls: el(
      "div",
      {},
      choice.element,
      legend([
        { text: "at or above the threshold", color: "var(--accent)", shape: "circle" },
        { text: "below", color: "var(--faint)", shape: "circle" },
      ]),
    ),
    caption:
      "Inclusion: the posterior probability that a feature is used at all. Weight: its posterior mean effect. Expected false: the sum of 1 \u2212 inclusion over the list (Bayesian false discovery rate). Features drawn on the same spot share a dot.",
    table: () => {
      const points = points_of(report, shown);
      return {
        label: `Features drawn, ${question_words(report, shown)}`,
        columns: [
          { title: "feature", values: points.map((p) => p.name) },
          { title: "inclusion", values: points.map((p) => p.inclusion), format: probability },
          { title: "weight", values: points.map((p) => p.weight), format: number },
        ],
      };
    },
  });
  choice.show(shown);
  return figure;
}
