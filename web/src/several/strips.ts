// A strip a class: its leave-one-out probability for every sample, samples grouped by their true class.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el, fit_text, text_width } from "../parts/dom";
import { class_words, count, plural, probability, short_name } from "../parts/format";
import type { TableOptions } from "../parts/data_table";
import { section } from "../sections/section";
import type { Call } from "../statistics/calls";
import type { SeveralData } from "./several_data";

const most_samples = 2000;
const most_bars = 6000; // the largest: a document of more is slow
const least_shown = 0.005; // a bar of less is thinner than a line

interface Bar {
  call: Call;
  rank: number;
  of_class: number;
  p: number;
}

/** Every so many samples where there are too many for a screen. */
function thinned(calls: Call[]): Call[] {
  const step = Math.ceil(calls.length / most_samples);
  return calls.filter((_, i) => i % step === 0);
}

function bars_of(calls: Call[]): Bar[] {
  const bars = calls.flatMap((call, rank) =>
    call.all.flatMap((p, of_class) => (p >= least_shown ? [{ call, rank, of_class, p }] : [])),
  );
  return bars.length > most_bars ? bars.sort((a, b) => b.p - a.p).slice(0, most_bars) : bars;
}

interface Group {
  truth: number;
  start: number;
  end: number;
}

function groups_of(calls: Call[]): Group[] {
  const groups: Group[] = [];
  calls.forEach((call, rank) => {
    const last = groups.at(-1);
    if (last?.truth === call.truth) last.end = rank + 1;
    else groups.push({ truth: call.truth, start: rank, end: rank + 1 });
  });
  return groups;
}

function tip_text(report: SeveralData, bar: Bar): string {
  const name = (k: number): string => short_name(report.classes[k]!.name, 24);
  const { call } = bar;
  return (
    `${short_name(call.name, 30)}\n${name(call.truth)}, called ${name(call.called)}${call.wrong ? " (misclassified)" : ""}\n` +
    `${name(bar.of_class)}: ${probability(bar.p)}${call.reliable ? "" : "\nleave-one-out doubtful"}`
  );
}

function draw(report: SeveralData, calls: Call[], width: number): SVGSVGElement {
  const drawn = thinned(calls);
  const [bars, groups] = [bars_of(drawn), groups_of(drawn)];
  const names = report.classes.map((c) => c.name);
  const longest = Math.max(...names.map((name) => text_width(short_name(name))));
  const marginLeft = Math.min(longest + 12, Math.max(60, width * 0.2));
  const marginRight = 12;
  const across = (width - marginLeft - marginRight) / Math.max(1, drawn.length);
  const strip = names.length > 12 ? 26 : 46;
  const gap = Math.min(0.15, across / 20);
  return plot({
    width,
    height: 46 + strip * names.length,
    marginLeft,
    marginRight,
    marginTop: 24,
    marginBottom: 22,
    x: { domain: [0, drawn.length], axis: null },
    y: { domain: [0, 1], axis: null },
    fy: {
      domain: names.map((_, k) => k),
      axis: "left",
      label: null,
      padding: 0.14,
      tickSize: 0,
      tickFormat: (k: number) => fit_text(names[k]!, marginLeft - 10),
    },
    color: { type: "identity" },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.rect(bars, {
        fy: "of_class",
        x1: (b: Bar) => b.rank + gap,
        x2: (b: Bar) => b.rank + 1 - gap,
        y1: 0,
        y2: "p",
        fill: (b: Bar) => (b.of_class === b.call.truth ? "var(--positive)" : "var(--negative)"),
        fillOpacity: (b: Bar) => (b.call.reliable ? 1 : 0.5),
      }),
      Plot.ruleX(groups.slice(1), { x: "start", stroke: "var(--faint)" }),
      Plot.text(
        groups.filter((g) => across * (g.end - g.start) >= 14),
        {
          fy: () => 0,
          x: (g: Group) => (g.start + g.end) / 2,
          frameAnchor: "top",
          dy: -12,
          text: (g: Group) => fit_text(names[g.truth]!, across * (g.end - g.start) - 4),
        },
      ),
      Plot.axisX({ anchor: "bottom", label: "samples, by true class", ticks: [], labelArrow: "none", labelAnchor: "center" }),
      Plot.tip(
        bars,
        Plot.pointer({ fy: "of_class", x: (b: Bar) => b.rank + 0.5, y: "p", title: (b: Bar) => tip_text(report, b) }),
      ),
    ],
  });
}

const most_named = 20;

/** By true class, the surest mistakes first. */
function mistakes(report: SeveralData, calls: Call[]): HTMLElement {
  const wrong = calls.filter((c) => c.wrong);
  const name = (k: number): string => class_words(report.classes[k]!.name);
  const line = (truth: number): HTMLElement | null => {
    const here = wrong.filter((c) => c.truth === truth).sort((a, b) => b.probability - a.probability);
    if (here.length === 0) return null;
    const shown = here
      .slice(0, most_named)
      .map((c) => `${short_name(c.name, 30)} (${name(c.called)} ${probability(c.probability)})`);
    const more = here.length > most_named ? ` and ${count(here.length - most_named)} more (see the data table)` : "";
    return el("li", {}, el("strong", {}, `${name(truth)}: `), shown.join(", ") + more);
  };
  const head = wrong.length
    ? `${plural(wrong.length, "sample")} misclassified, by true class, with what each is called and how probable that is:`
    : "No sample is misclassified.";
  return el(
    "div",
    { class: "mistakes" },
    el("p", {}, head),
    wrong.length > 0 && el("ul", {}, ...report.classes.map((_, k) => line(k))),
  );
}

function sample_columns(report: SeveralData, calls: Call[]): TableOptions {
  const name = (k: number): string => report.classes[k]!.name;
  return {
    label: "Samples and their leave-one-out probabilities",
    search: "Search samples",
    columns: [
      { title: "sample", values: calls.map((c) => c.name) },
      { title: "class", values: calls.map((c) => name(c.truth)) },
      { title: "called", values: calls.map((c) => name(c.called)) },
      { title: "probability", values: calls.map((c) => c.probability), format: probability, hint: "of what it is called" },
      { title: "misclassified", values: calls.map((c) => c.wrong) },
      { title: "reliable", values: calls.map((c) => c.reliable) },
      ...report.classes.map((c, k) => ({
        title: short_name(c.name, 20),
        values: calls.map((call) => call.all[k]!),
        format: probability,
        hint: `probability of ${short_name(c.name)}`,
      })),
    ],
    mark: (row) => (calls[row]?.wrong ? "wrong" : null),
  };
}

export function strips(report: SeveralData, calls: Call[]): HTMLElement {
  if (calls.length === 0) return section("samples", "Samples", el("p", {}, "No leave-one-out probabilities."));
  const wrong = calls.filter((c) => c.wrong).length;
  const step = Math.ceil(calls.length / most_samples);
  const figure = chart({
    title: "Leave-one-out probability of each class, every sample",
    label: `A strip a class with its leave-one-out probability for every sample, samples grouped by true class; ${plural(wrong, "sample")} of ${calls.length} misclassified.`,
    draw: (width) => draw(report, calls, width),
    controls: legend([
      { text: "probability of the true class", color: "var(--positive)", shape: "square" },
      { text: "probability of another class", color: "var(--negative)", shape: "square" },
    ]),
    below: mistakes(report, calls),
    caption:
      "One strip a class, from 0 to 1; one column a sample, which no model that judges it has seen. Samples stand with those of their true class, the surest first: blue fills the strip of their own class, and orange shows where else a sample is drawn to. Doubtful values are pale." +
      (step > 1 ? ` One of ${count(step)} samples is drawn.` : ""),
    table: () => sample_columns(report, calls),
  });
  return section("samples", "Samples", figure.element);
}
