// What features do inside a bent boundary, where no weight says it: a small curve each, and which act together.
import * as Plot from "@observablehq/plot";
import { chart, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { class_words, number, percent, short_name } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import { asked, has_choice, question_words } from "../fit/questions";
import type { BentFeature, BentPair, Boundary, Num, ReportData } from "../fit/report_data";
import { section } from "./section";

interface Point {
  value: number;
  probability: number;
  low: number;
  high: number;
}

interface Curve {
  name: string;
  relevance: Num;
  points: Point[];
}

const fewest_wide = 150; // pixels of a small chart

function curves_of(boundary: Boundary): Curve[] {
  return boundary.relevant.flatMap(({ name, relevance, effect }: BentFeature): Curve[] =>
    effect
      ? [
          {
            name: String(name),
            relevance,
            points: effect.value.map((value, i) => ({
              value,
              probability: effect.probability[i]!,
              low: effect.low[i]!,
              high: effect.high[i]!,
            })),
          },
        ]
      : [],
  );
}

interface Placed extends Point {
  name: string;
  place: number; // of the value between the lowest and the highest
  column: number;
  row: number;
}

function draw(curves: Curve[], width: number): SVGSVGElement {
  const across = Math.max(1, Math.min(curves.length, 4, Math.floor(width / fewest_wide)));
  const at = (k: number): { column: number; row: number } => ({ column: k % across, row: Math.floor(k / across) });
  const points = curves.flatMap((curve, k) =>
    curve.points.map((p, i): Placed => ({ ...p, ...at(k), name: curve.name, place: i / (curve.points.length - 1) })),
  );
  const titles = curves.map((curve, k) => ({ ...at(k), text: `${short_name(curve.name, 14)}  ${number(curve.relevance, 2)}` }));
  const text = (p: Placed): string =>
    `${short_name(p.name, 30)} at ${number(p.value, 3)}\n${percent(p.probability)} (${percent(p.low)} to ${percent(p.high)})`;
  const where = { fx: "column", fy: "row" };
  const along = { ...where, x: "place" };
  return plot({
    width,
    height: 36 + 120 * Math.ceil(curves.length / across),
    marginLeft: 50,
    marginRight: 12,
    marginTop: 22,
    marginBottom: 26,
    fx: { axis: null, padding: 0.12 },
    fy: { axis: null, padding: 0.25 },
    x: { label: null, ticks: [0, 1], tickFormat: (v: number) => (v === 0 ? "low" : "high") },
    y: { domain: [0, 1], label: null, ticks: [0, 0.5, 1], tickFormat: (p: number) => `${100 * p} %`, grid: true },
    marks: [
      Plot.areaY(points, { ...along, z: "name", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.18 }),
      Plot.line(points, { ...along, z: "name", y: "probability", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.text(titles, { ...where, text: "text", frameAnchor: "top-left", dy: -14, fill: "currentColor" }),
      Plot.tip(points, Plot.pointerX({ ...along, y: "probability", title: text })),
    ],
  });
}

function pairs_table(pairs: BentPair[], wanted: string): HTMLElement | null {
  const shown = pairs.filter((pair) => (pair.strength ?? 0) >= 0.2);
  if (shown.length === 0) return null;
  const rows = shown.map(({ first, second, strength, probability: p }) => [
    `${short_name(String(first), 20)} with ${short_name(String(second), 20)}`,
    number(strength, 2),
    ...[p[0]![0], p[0]![2], p[2]![0], p[2]![2]].map((value) => percent(value ?? null)),
  ]);
  return el(
    "div",
    {},
    el("h3", {}, "Which act together?"),
    el(
      "p",
      {},
      `By how much the effect of one depends on the other (0: not at all, 2: one turns the other around), and the probability of ${wanted} where both are low, the second is high, the first is, both are (lowest and highest tenth).`,
    ),
    plain_table("features that act together", ["pair", "strength", "low, low", "low, high", "high, low", "high, high"], rows),
  );
}

function of_question(report: ReportData, k: number, boundary: Boundary): HTMLElement | null {
  const curves = curves_of(boundary);
  if (curves.length === 0) return null;
  const wanted = class_words(asked(report, k), 24);
  const figure = chart({
    title: has_choice(report) ? `Effect of the most relevant features: ${question_words(report, k)}` : "Effect of the most relevant features",
    label: `Probability of ${wanted} with one feature moved, of ${curves.map((c) => short_name(c.name, 20)).join(", ")}.`,
    draw: (width) => draw(curves, width),
    caption: `Probability of ${wanted} by the bent boundary, one feature moved from its lowest twentieth to its highest (transformed values) and all others left as they are: the mean over training samples, and the band that four of five of them lie in. A flat mean in a wide band: what the feature says depends on others. Beside the name its part of all relevance.`,
    table: () => {
      const flat = curves.flatMap((c) => c.points.map((p) => ({ name: c.name, ...p })));
      return {
        label: "Effects",
        columns: [
          { title: "feature", values: flat.map((p) => p.name) },
          { title: "value", values: flat.map((p) => p.value), format: (v: Num) => number(v, 3) },
          { title: "probability", values: flat.map((p) => p.probability), format: percent },
          { title: "a tenth below", values: flat.map((p) => p.low), format: percent },
          { title: "a tenth above", values: flat.map((p) => p.high), format: percent },
        ],
      };
    },
  });
  return el("div", {}, figure.element, pairs_table(boundary.pairs, wanted));
}

export function bent(report: ReportData): HTMLElement | null {
  const parts = report.questions.flatMap(({ boundary }, k) => {
    const part = boundary && boundary.share > 0 ? of_question(report, k, boundary) : null;
    return part ? [part] : [];
  });
  if (parts.length === 0) return null;
  const shares = report.questions.flatMap(({ boundary }) => (boundary && boundary.share > 0 ? [percent(boundary.share)] : []));
  return section(
    "bent",
    "What bends the boundary?",
    el(
      "p",
      {},
      `A bent boundary has ${shares.join(", ")} of the answer. Inclusion and weights are those of the straight one beside it; what features do in the bent one stands here.`,
    ),
    ...parts,
  );
}
