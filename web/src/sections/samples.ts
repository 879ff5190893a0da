// A strip a question: the leave-one-out probability of its class for every sample, samples grouped by their true class.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el, fit_text, text_width } from "../parts/dom";
import { class_words, count, plural, probability, short_name } from "../parts/format";
import type { TableOptions } from "../parts/data_table";
import { asked } from "../fit/questions";
import type { Call } from "../statistics/calls";
import type { ReportData } from "../fit/report_data";
import { section } from "./section";

const most_samples = 2000;
const most_bars = 6000; // the largest: a document of more is slow
const least_outlined = 5; // pixels: an outline would hide the colour of a narrower bar
const least_shown = 0.005; // a bar of less is thinner than a line

/** What to do with a sample that was chosen in the strip of a question. */
export type Pick = (index: number, question: number) => void;

interface Bar {
  call: Call;
  rank: number;
  question: number;
  own: boolean; // the strip is that of the sample's class
  p: number;
}

/** Every so many samples where there are too many for a screen. */
function thinned(calls: Call[]): Call[] {
  const step = Math.ceil(calls.length / most_samples);
  return calls.filter((_, i) => i % step === 0);
}

function bars_of(report: ReportData, calls: Call[]): Bar[] {
  const places = report.questions.map((_, k) => report.classes.findIndex((c) => c.name === asked(report, k)));
  const bars = calls.flatMap((call, rank) =>
    places.flatMap((place, question) => {
      const p = call.all[place] ?? 0;
      return p >= least_shown ? [{ call, rank, question, own: place === call.truth, p }] : [];
    }),
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

function tip_text(report: ReportData, { call, question, p }: Bar): string {
  const name = (k: number): string => short_name(report.classes[k]!.name, 24);
  return (
    `${short_name(call.name, 30)}\n${name(call.truth)}, called ${name(call.called)}${call.wrong ? " (misclassified)" : ""}\n` +
    `${short_name(asked(report, question), 24)}: ${probability(p)}${call.reliable ? "" : "\nleave-one-out doubtful"}`
  );
}

/** A single strip is tall enough to be read on a scale, and needs no name beside it. */
const strip_height = (strips: number): number => (strips === 1 ? 240 : strips > 12 ? 26 : 46);

function strip_names(strips: string[], marginLeft: number): Plot.ScaleOptions {
  const domain = strips.map((_, k) => k);
  if (strips.length === 1) return { domain, axis: null };
  const tickFormat = (k: number): string => fit_text(strips[k]!, marginLeft - 10);
  return { domain, axis: "left", label: null, padding: 0.14, tickSize: 0, tickFormat };
}

function draw(report: ReportData, calls: Call[], width: number, pick: Pick): SVGSVGElement {
  const drawn = thinned(calls);
  const [bars, groups] = [bars_of(report, drawn), groups_of(drawn)];
  const strips = report.questions.map((q) => q.class);
  const longest = Math.max(...strips.map((name) => text_width(short_name(name))));
  const marginLeft = strips.length === 1 ? 30 : Math.min(longest + 12, Math.max(60, width * 0.2));
  const marginRight = 12;
  const across = (width - marginLeft - marginRight) / Math.max(1, drawn.length);
  const gap = Math.min(0.15, across / 20);
  const outlined = bars.filter((b) => b.call.wrong && across >= least_outlined);
  const place = {
    fy: "question",
    x1: (b: Bar) => b.rank + gap,
    x2: (b: Bar) => b.rank + 1 - gap,
    y1: 0,
    y2: "p",
  };
  const svg = plot({
    width,
    height: 46 + strip_height(strips.length) * strips.length,
    marginLeft,
    marginRight,
    marginTop: 24,
    marginBottom: 22,
    x: { domain: [0, drawn.length], axis: null },
    y: { domain: [0, 1], axis: null },
    fy: strip_names(strips, marginLeft),
    color: { type: "identity" },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.ruleY([0.5], { stroke: "var(--faint)", strokeDasharray: "4 3" }),
      Plot.rect(bars, {
        ...place,
        fill: (b: Bar) => (b.own ? "var(--positive)" : "var(--negative)"),
        fillOpacity: (b: Bar) => (b.call.reliable ? 1 : 0.5),
      }),
      Plot.rect(outlined, { ...place, fill: "none", stroke: "currentColor", strokeWidth: 1.2 }),
      strips.length === 1
        ? Plot.axisY({ anchor: "left", ticks: [0, 0.5, 1], tickSize: 3, label: null, labelArrow: "none" })
        : null,
      Plot.ruleX(groups.slice(1), { x: "start", stroke: "var(--faint)" }),
      Plot.text(
        groups.filter((g) => across * (g.end - g.start) >= 14),
        {
          fy: () => 0,
          x: (g: Group) => (g.start + g.end) / 2,
          frameAnchor: "top",
          dy: -12,
          text: (g: Group) => fit_text(report.classes[g.truth]!.name, across * (g.end - g.start) - 4),
        },
      ),
      Plot.axisX({ anchor: "bottom", label: "samples, by true class", ticks: [], labelArrow: "none", labelAnchor: "center" }),
      Plot.tip(
        bars,
        Plot.pointerX({
          fy: "question",
          x: (b: Bar) => b.rank + 0.5,
          y: "p",
          title: (b: Bar) => tip_text(report, b),
          maxRadius: Math.max(8, across),
        }),
      ),
    ],
  });
  svg.addEventListener("click", () => {
    const bar = (svg as unknown as { value: Bar | null }).value;
    if (bar) pick(bar.call.index, bar.question);
  });
  return svg;
}

const most_named = 20;

/** By true class, the surest mistakes first. */
function mistakes(report: ReportData, calls: Call[]): HTMLElement {
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

function sample_columns(report: ReportData, calls: Call[]): TableOptions {
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

export function samples(report: ReportData, calls: Call[], pick: Pick): HTMLElement {
  if (calls.length === 0) return section("samples", "Samples", el("p", {}, "No leave-one-out probabilities."));
  const wrong = calls.filter((c) => c.wrong).length;
  const step = Math.ceil(calls.length / most_samples);
  const strips = report.questions.length;
  const whose = strips === 1 ? class_words(asked(report, 0)) : "each class";
  const figure = chart({
    title: `Leave-one-out probability of ${whose}, every sample`,
    label: `${strips === 1 ? "A strip" : "A strip a class"} with the leave-one-out probability of ${whose} for every sample, samples grouped by true class; ${plural(wrong, "sample")} of ${calls.length} misclassified.`,
    draw: (width) => draw(report, calls, width, pick),
    controls: legend([
      { text: "probability of the true class", color: "var(--positive)", shape: "square" },
      { text: "probability of another class", color: "var(--negative)", shape: "square" },
      { text: "outlined: misclassified", color: "currentColor", shape: "outline" },
    ]),
    below: mistakes(report, calls),
    caption:
      "One column a sample, which no model that judges it has seen, from 0 to 1. Samples stand with those of their true class, the surest first: blue fills the strip of their own class, and orange shows where else a sample is drawn to; the dashed line is one half. Doubtful values are pale. Choose a bar to see what pushed that sample." +
      (step > 1 ? ` One of ${count(step)} samples is drawn.` : ""),
    table: () => sample_columns(report, calls),
  });
  return section("samples", "Samples", figure.element);
}
