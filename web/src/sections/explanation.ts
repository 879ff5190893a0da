// One sample, explained: the contributions that add up to its field.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { el, text_width } from "../parts/dom";
import { number, probability, short_name, class_words } from "../parts/format";
import { asked, has_choice, others, question_switch, question_words } from "../fit/questions";
import type { Call } from "../statistics/calls";
import { waterfall, type Step } from "../statistics/waterfall";
import type { Contributions, ReportData } from "../fit/report_data";
import { owed_chart } from "./owed";
import { section, sides_label } from "./section";

export interface Explanation {
  element: HTMLElement;
  pick(index: number, question: number): void;
}

const side_color = (positive: boolean): string => (positive ? "var(--positive)" : "var(--negative)");

function step_color(step: Step): string {
  return step.kind === "total" ? "currentColor" : side_color(step.value >= 0);
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

function draw(report: ReportData, question: number, steps: Step[], width: number): SVGSVGElement {
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
      label: sides_label(report, question, "field", width - margin - 14),
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

function explanation_sentence(report: ReportData, question: number, call: Call, field: number): string {
  const name = (k: number): string => class_words(report.classes[k]!.name);
  const side = class_words(field >= 0 ? asked(report, question) : others(report, question));
  const whose = has_choice(report) ? `, ${question_words(report, question)},` : "";
  return (
    `${short_name(call.name, 40)} is ${name(call.truth)}; its field of ${number(field, 3)}${whose} speaks for ${side}. ` +
    `Left out, it is called ${name(call.called)} with ${probability(call.probability)}${call.wrong ? ": misclassified" : ""}.`
  );
}

/** The surest mistake is the most interesting sample; without mistakes, the first of the table. */
function first_call(calls: Call[]): Call {
  const wrong = calls.filter((c) => c.wrong).sort((a, b) => b.probability - a.probability);
  return wrong[0] ?? calls.reduce((first, c) => (c.index < first.index ? c : first));
}

function sample_select(report: ReportData, calls: Call[], changed: (index: number) => void): HTMLSelectElement {
  const sorted = [...calls].sort((a, b) => a.index - b.index);
  const options = sorted.map((c) =>
    el("option", { value: c.index }, `${short_name(c.name, 40)} (${class_words(report.classes[c.truth]!.name, 16)})`),
  );
  const select = el("select", { id: "sample" }, ...options);
  select.addEventListener("change", () => changed(Number(select.value)));
  return select;
}

function explain(report: ReportData, all: Contributions[], calls: Call[]): Explanation {
  let call = first_call(calls);
  let question = has_choice(report) ? call.called : 0; // classes and questions have one order
  const contributions = (): Contributions => all[question]!;
  const steps = (largest = 12): Step[] => waterfall(contributions(), call.index, largest);
  const sentence = el("p", { class: "readout", "aria-live": "polite" });
  const select = sample_select(report, calls, (index) => show(index, question));
  const owed = owed_chart(report);
  const choice = question_switch(report, (k) => show(call.index, k));
  const tell = (): void => {
    select.value = String(call.index);
    choice.show(question);
    sentence.textContent = explanation_sentence(report, question, call, steps().at(-1)!.value);
    owed?.show(call, question);
    const all_bent = (report.questions[question]!.boundary?.share ?? 0) > 0.995 && owed?.element.hasChildNodes() === true;
    straight.replaceChildren(...(all_bent ? [] : [figure.element]));
  };
  const show = (index: number, k: number): void => {
    call = calls.find((c) => c.index === index) ?? call;
    question = k;
    tell();
    figure.refresh();
  };
  const figure = chart({
    title: "What pushed this sample to its class",
    label: () =>
      `Waterfall of the largest contributions to the field of the chosen sample, ${question_words(report, question)}, from the intercept to the field.`,
    draw: (width) => draw(report, question, steps(), width),
    controls: sentence,
    below: legend([
      { text: `pushes to ${has_choice(report) ? "the class" : class_words(asked(report, 0))}`, color: side_color(true), shape: "square" },
      { text: `pushes to ${class_words(others(report, 0))}`, color: side_color(false), shape: "square" },
      { text: "their sum", color: "currentColor", shape: "square" },
    ]),
    caption:
      "A contribution is the feature's weight times the sample's value. The weights come from the fit to all samples, this one included; the probability quoted above comes from leaving it out.",
    table: () => {
      const every = steps(contributions().features.length);
      return {
        label: `Contributions to the field, ${question_words(report, question)}`,
        columns: [
          { title: "feature", values: every.map((s) => s.name) },
          { title: "contribution", values: every.map((s) => s.value), format: number },
        ],
      };
    },
  });
  const straight = el("div"); // which has no part in the answer where all of it is bent
  tell();
  const picker = el("div", { class: "picker" }, el("label", { for: "sample" }, "Sample"), select, choice.element);
  return { element: section("explanation", "One sample, explained", picker, straight, owed?.element ?? null), pick: show };
}

export function explanation(report: ReportData, calls: Call[]): Explanation | null {
  const all = report.contributions.filter((c) => c !== null);
  return all.length === report.questions.length && calls.length > 0 ? explain(report, all, calls) : null;
}
