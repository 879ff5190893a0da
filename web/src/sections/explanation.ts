// One sample, explained: the contributions that add up to its field.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el, text_width } from "../parts/dom";
import { is_number, number, plural, probability, short_name, class_words } from "../parts/format";
import { waterfall, type Step } from "../statistics/waterfall";
import type { Contributions, ReportData } from "../fit/report_data";
import { class_color, section, sides_label } from "./section";

export interface Explanation {
  element: HTMLElement;
  pick(index: number): void;
}

function step_color(step: Step): string {
  if (step.kind === "total") return "currentColor";
  return class_color(step.value >= 0);
}

/** Wide enough for the bars and the numbers beside them, 0 included. */
function field_domain(steps: Step[], pixels: number): [number, number] {
  const ends = steps.flatMap((s) => [s.from, s.to]);
  const span = Math.max(...ends, 0) - Math.min(...ends, 0) || 1;
  const room = (span * 48) / Math.max(60, pixels - 96);
  const low = steps.map((s) => Math.min(s.from, s.to) - (s.value < 0 ? room : 0));
  const high = steps.map((s) => Math.max(s.from, s.to) + (s.value >= 0 ? room : 0));
  return [Math.min(0, ...low), Math.max(0, ...high)];
}

function draw(report: ReportData, steps: Step[], width: number): SVGSVGElement {
  const longest = width < 500 ? 16 : 28;
  const rows = steps.map((step, i) => ({ ...step, row: i, shown: short_name(step.name, longest) }));
  const margin = Math.min(width * 0.42, Math.max(...rows.map((r) => text_width(r.shown))) + 12);
  const signed = (v: number): string => (v > 0 ? "+" : "") + number(v, 3);
  const [low, high] = field_domain(rows, width - margin);
  return plot({
    width,
    height: 62 + rows.length * 24,
    marginLeft: margin,
    marginRight: 14,
    marginTop: 24,
    marginBottom: 38,
    x: {
      domain: [low, high],
      label: sides_label(report, "field", width - margin - 14),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: width < 500 ? 4 : 8,
      grid: true,
    },
    y: {
      type: "band",
      domain: rows.map((r) => r.row),
      label: null,
      tickFormat: (i: number) => rows[i]?.shown ?? "",
      tickSize: 0,
      padding: 0.25,
    },
    color: { type: "identity" },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
      Plot.barX(rows, { y: "row", x1: "from", x2: "to", fill: step_color }),
      Plot.text(
        rows.filter((r) => r.value >= 0),
        {
          y: "row",
          x: (r: Step) => Math.max(r.from, r.to),
          text: (r: Step) => signed(r.value),
          textAnchor: "start",
          dx: 4,
          fill: "currentColor",
          stroke: "var(--page)",
          strokeWidth: 3,
        },
      ),
      Plot.text(
        rows.filter((r) => r.value < 0),
        {
          y: "row",
          x: (r: Step) => Math.min(r.from, r.to),
          text: (r: Step) => signed(r.value),
          textAnchor: "end",
          dx: -4,
          fill: "currentColor",
          stroke: "var(--page)",
          strokeWidth: 3,
        },
      ),
    ],
  });
}

export function explanation_sentence(report: ReportData, index: number, steps: Step[]): string {
  const table = report.sample_table;
  const p = table.loo_probability[index];
  const field = steps.at(-1)!.value;
  const side = class_words(field >= 0 ? report.positive : report.negative);
  const left_out = is_number(p)
    ? ` Left out, its probability of ${class_words(report.positive)} is ${probability(p)}${p >= 0.5 === (table.label[index] === report.positive) ? "" : ": misclassified"}.`
    : "";
  return `${short_name(String(table.name[index]), 40)} is ${class_words(String(table.label[index]))}; its field of ${number(field, 3)} speaks for ${side}.${left_out}`;
}

/** The surest mistake is the most interesting sample; without mistakes, the first. */
function first_sample(report: ReportData): number {
  const { label, loo_probability } = report.sample_table;
  let best = 0;
  let sureness = 0;
  loo_probability.forEach((p, i) => {
    if (!is_number(p) || p >= 0.5 === (label[i] === report.positive)) return;
    if (Math.abs(p - 0.5) > sureness) [best, sureness] = [i, Math.abs(p - 0.5)];
  });
  return best;
}

function sample_select(report: ReportData, chosen: number, changed: (index: number) => void): HTMLSelectElement {
  const { name, label } = report.sample_table;
  const options = name.map((n, i) =>
    el("option", { value: i }, `${short_name(String(n), 40)} (${class_words(String(label[i]), 16)})`),
  );
  const select = el("select", { id: "sample" }, ...options);
  select.value = String(chosen);
  select.addEventListener("change", () => changed(Number(select.value)));
  return select;
}

function explain(report: ReportData, contributions: Contributions): Explanation {
  let index = first_sample(report);
  const steps = (): Step[] => waterfall(contributions, index, 12);
  const sentence = el("p", { class: "readout", "aria-live": "polite" });
  const select = sample_select(report, index, (i) => show(i));
  const show = (i: number): void => {
    index = i;
    select.value = String(i);
    sentence.textContent = explanation_sentence(report, index, steps());
    figure.refresh();
  };
  const figure = chart({
    title: "What pushed this sample to its class",
    label: `Waterfall of the largest contributions to the field of the chosen sample, from the intercept to the field; ${plural(contributions.features.length, "feature")} are tracked one by one.`,
    draw: (width) => draw(report, steps(), width),
    controls: el("div", { class: "picker" }, el("label", { for: "sample" }, "Sample"), select, sentence),
    below: legend([
      { text: `pushes to ${class_words(report.positive)}`, color: class_color(true), shape: "square" },
      { text: `pushes to ${class_words(report.negative)}`, color: class_color(false), shape: "square" },
      { text: "their sum", color: "currentColor", shape: "square" },
    ]),
    caption:
      "A contribution is the feature's weight times the sample's value. The weights come from the fit to all samples, this one included; the probability quoted above comes from leaving it out.",
    table: () => ({
      label: "Contributions to the field",
      columns: [
        { title: "feature", values: waterfall(contributions, index, contributions.features.length).map((s) => s.name) },
        {
          title: "contribution",
          values: waterfall(contributions, index, contributions.features.length).map((s) => s.value),
          format: number,
        },
      ],
    }),
  });
  sentence.textContent = explanation_sentence(report, index, steps());
  return { element: section("explanation", "One sample, explained", figure.element), pick: show };
}

export function explanation(report: ReportData): Explanation | null {
  return report.contributions && report.sample_table.name.length ? explain(report, report.contributions) : null;
}
