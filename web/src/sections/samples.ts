// Every sample's leave-one-out probability, sorted: an S that steps from one class to the other, mistakes named.
import * as Plot from "@observablehq/plot";
import { add_labels, chart, legend, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { count, plural, probability, short_name, class_words } from "../parts/format";
import type { Outcome } from "../statistics/outcomes";
import type { ReportData } from "../fit/report_data";
import { class_color, class_legend, class_shape, section } from "./section";

const margins = { marginLeft: 40, marginRight: 24, marginTop: 24, marginBottom: 36 };

function tip_text(o: Outcome): string {
  const doubt = o.reliable ? "" : "\nleave-one-out doubtful";
  return `${short_name(o.name, 30)}\nclass ${short_name(o.label, 24)}${o.wrong ? " (misclassified)" : ""}\nprobability ${probability(o.probability)}${doubt}`;
}

function draw(report: ReportData, outcomes: Outcome[], width: number, pick: (index: number) => void): SVGSVGElement {
  const height = Math.min(380, Math.max(260, width * 0.5));
  const r = outcomes.length > 300 ? 2 : 3.5;
  const rank = outcomes.map((_, i) => i + 1);
  const svg = plot({
    width,
    height,
    ...margins,
    x: {
      domain: [0, outcomes.length + 1],
      label: "samples, sorted",
      ticks: 5,
      labelArrow: "none",
      labelAnchor: "center",
    },
    y: {
      domain: [0, 1],
      label: `probability of ${class_words(report.positive)}`,
      ticks: 5,
      labelArrow: "none",
      grid: true,
    },
    symbol: { type: "identity" },
    color: { type: "identity" },
    marks: [
      Plot.ruleY([0.5], { stroke: "currentColor", strokeDasharray: "4 3" }),
      Plot.dot(outcomes, {
        x: rank,
        y: "probability",
        r: (o: Outcome) => (o.wrong ? r + 1.5 : r),
        symbol: (o: Outcome) => class_shape(o.positive),
        fill: (o: Outcome) => (o.reliable ? class_color(o.positive) : "var(--page)"),
        stroke: (o: Outcome) => (o.wrong ? "currentColor" : class_color(o.positive)),
        strokeWidth: 1.2,
      }),
      Plot.tip(outcomes, Plot.pointer({ x: rank, y: "probability", title: tip_text, maxRadius: 30 })),
    ],
  });
  label_mistakes(svg, outcomes, width, height);
  svg.addEventListener("click", () => {
    const rank_under = (svg as unknown as { value: Outcome | null }).value;
    if (rank_under) pick(rank_under.index);
  });
  return svg;
}

function label_mistakes(svg: SVGSVGElement, outcomes: Outcome[], width: number, height: number): void {
  const x = (i: number): number =>
    margins.marginLeft + ((i + 1) / (outcomes.length + 1)) * (width - margins.marginLeft - margins.marginRight);
  const y = (p: number): number => margins.marginTop + (1 - p) * (height - margins.marginTop - margins.marginBottom);
  const dots = outcomes.map((o, i) => ({ x: x(i), y: y(o.probability) }));
  // The most confident mistakes first: they deserve the name when there is no room for all.
  const wrong = outcomes
    .map((o, i) => ({ o, i }))
    .filter(({ o }) => o.wrong)
    .sort((a, b) => Math.abs(b.o.probability - 0.5) - Math.abs(a.o.probability - 0.5));
  const labels = wrong.slice(0, 40).map(({ o, i }) => ({ ...dots[i]!, text: short_name(o.name, 16) }));
  add_labels(svg, labels, dots, {
    left: margins.marginLeft + 2,
    right: width,
    top: margins.marginTop - 8,
    bottom: height - margins.marginBottom,
  });
}

const most_named = 20;

/** By true class, the surest mistakes first. */
function mistakes(report: ReportData, outcomes: Outcome[]): HTMLElement {
  const wrong = outcomes.filter((o) => o.wrong);
  const line = (label: string): HTMLElement | null => {
    const names = wrong
      .filter((o) => o.label === label)
      .sort((a, b) => Math.abs(b.probability - 0.5) - Math.abs(a.probability - 0.5));
    if (names.length === 0) return null;
    const shown = names.slice(0, most_named).map((o) => `${short_name(o.name, 30)} (${probability(o.probability)})`);
    const more = names.length > most_named ? ` and ${count(names.length - most_named)} more (see the data table)` : "";
    return el(
      "li",
      {},
      el("strong", {}, `${class_words(label)}, taken for the other class: `),
      shown.join(", ") + more,
    );
  };
  const head = wrong.length
    ? `${plural(wrong.length, "sample")} misclassified, with the probability of ${class_words(report.positive)}:`
    : "No sample is misclassified.";
  return el(
    "div",
    { class: "mistakes" },
    el("p", {}, head),
    el("ul", {}, line(report.positive), line(report.negative)),
  );
}

export function samples(report: ReportData, outcomes: Outcome[], pick: (index: number) => void): HTMLElement {
  if (outcomes.length === 0) return section("samples", "Samples", el("p", {}, "No leave-one-out probabilities."));
  const by_name = [...outcomes].reverse();
  const figure = chart({
    title: `Leave-one-out probability of ${class_words(report.positive)}, every sample`,
    label: `Samples sorted by leave-one-out probability of ${class_words(report.positive)}; ${plural(outcomes.filter((o) => o.wrong).length, "sample")} of ${outcomes.length} on the wrong side of one half.`,
    draw: (width) => draw(report, outcomes, width, pick),
    controls: legend([
      ...class_legend(report),
      { text: "outlined and named: misclassified", color: "currentColor", shape: "hollow" },
    ]),
    below: mistakes(report, outcomes),
    caption:
      "Each sample is predicted by a model that has not seen it. Choose a dot to see what pushed that sample to its class. Doubtful values are drawn hollow.",
    table: () => ({
      label: "Samples and their leave-one-out probability",
      search: "Search samples",
      columns: [
        { title: "sample", values: by_name.map((o) => o.name) },
        { title: "class", values: by_name.map((o) => o.label) },
        {
          title: "probability",
          values: by_name.map((o) => o.probability),
          format: probability,
          hint: `of ${class_words(report.positive)}`,
        },
        { title: "misclassified", values: by_name.map((o) => o.wrong) },
        { title: "reliable", values: by_name.map((o) => o.reliable) },
      ],
      mark: (r) => (by_name[r]?.wrong ? "wrong" : null),
    }),
  });
  return section("samples", "Samples", figure.element);
}
