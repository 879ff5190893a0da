// Would other samples have given the same features? Share of halves that select a feature against its inclusion.
import * as Plot from "@observablehq/plot";
import { chart, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { count, is_number, number, percent, plural, probability, short_name } from "../parts/format";
import type { ReportData, StabilityData } from "../fit/report_data";
import { section } from "./section";

interface Point {
  name: string;
  inclusion: number;
  share: number;
}

function points_of(stability: StabilityData): Point[] {
  const { name, inclusion, share } = stability.table;
  return name
    .map((n, row) => ({ name: String(n), inclusion: inclusion[row], share: share[row] }))
    .filter((p): p is Point => is_number(p.inclusion) && is_number(p.share));
}

function draw(points: Point[], threshold: number, width: number): SVGSVGElement {
  return plot({
    width,
    height: Math.min(380, Math.max(260, width * 0.5)),
    marginLeft: 48,
    x: { label: "inclusion on all samples", domain: [0, 1] },
    y: { label: "share of halves", domain: [0, 1], grid: true },
    marks: [
      Plot.ruleY([threshold], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
      Plot.dot(points, { x: "inclusion", y: "share", r: 3.5, fill: "var(--positive)", fillOpacity: 0.6 }),
      Plot.text(points.filter((p) => p.share >= threshold).slice(0, 12), {
        x: "inclusion",
        y: "share",
        text: (p: Point) => short_name(p.name, 16),
        dy: -9,
      }),
    ],
  }) as SVGSVGElement;
}

function halves_words(stability: StabilityData): string {
  return stability.halves > 0
    ? `The fit was repeated on ${plural(stability.halves, "half", "halves")} of the samples, in pairs without a sample in common`
    : "This is the average over all halves of the samples";
}

export function stability(report: ReportData): HTMLElement | null {
  const s = report.stability;
  if (!s) return null;
  const points = points_of(s);
  const bound =
    `${plural(s.stable, "feature")} ${s.stable === 1 ? "is" : "are"} selected in at least ${percent(s.threshold)} of them; at most ${number(s.most_expected_false, 2)} of these ` +
    `${s.stable === 1 ? "is" : "are"} expected to be false, if a false feature is one that a half selects no more often than a feature drawn at random. Nothing else is assumed.`;
  return section(
    "stability",
    "Would other samples have given the same list?",
    el("p", {}, `${halves_words(s)}; each selects ${number(s.mean_selected, 3)} of ${count(report.kept_features)} features. ${bound}`),
    chart({
      title: "Selected in halves, included on all samples",
      label: `Share of halves that select a feature against its inclusion on all samples, ${plural(points.length, "feature")}.`,
      draw: (width) => draw(points, s.threshold, width),
      caption:
        "Above the dashed line a feature is stable. Included and selected: it decides, and any half says so. Included and rarely selected: a few samples decide that it matters. " +
        "Selected and hardly included: always among the candidates, never proven, as one of several correlated features is. Neither: nothing is known of it.",
      table: () => ({
        label: "Features and the halves that select them",
        search: "Search features",
        columns: [
          { title: "feature", values: s.table.name.map(String) },
          { title: "inclusion", values: s.table.inclusion, format: probability, hint: "on all samples" },
          { title: "mean", values: s.table.mean, format: probability, hint: "of the inclusion, over halves" },
          { title: "sd", values: s.table.sd, format: probability, hint: "of the inclusion, over halves" },
          { title: "share", values: s.table.share, format: probability, hint: "of the halves that select it" },
        ],
      }),
    }).element,
  );
}
