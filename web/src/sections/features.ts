// Which features matter: inclusion against weight, a list with a threshold, and how many of it to expect false.
import * as Plot from "@observablehq/plot";
import { add_labels, chart, legend, plot } from "../charts/chart";
import { data_table, type DataTable, type TableColumn } from "../parts/data_table";
import { el } from "../parts/dom";
import { discoveries, threshold_for } from "../statistics/discoveries";
import { count, is_number, number, percent, plural, probability, short_name } from "../parts/format";
import type { Num, ReportData } from "../fit/report_data";
import { thin } from "../charts/thin";
import { section, sides_label } from "./section";

interface Point {
  row: number;
  name: string;
  inclusion: number;
  weight: number;
}

const slider_step = 0.005;
const margins = { marginLeft: 40, marginRight: 16, marginTop: 40, marginBottom: 36 };

function points_of(report: ReportData): Point[] {
  const { name, inclusion, weight } = report.feature_table;
  return name
    .map((n, row) => ({ row, name: String(n), inclusion: inclusion[row], weight: weight[row] }))
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

/** 0.5 where a feature reaches it; otherwise the ten most included, so that the list is never empty. */
export function first_threshold(inclusion: readonly Num[]): number {
  const known = inclusion.filter(is_number).sort((a, b) => b - a);
  if (known.length === 0 || known[0]! >= 0.5) return 0.5;
  return Math.floor((known[Math.min(9, known.length - 1)] ?? 0) / slider_step) * slider_step;
}

function draw(report: ReportData, all: Point[], threshold: number, width: number): SVGSVGElement {
  const height = Math.min(440, Math.max(300, width * 0.6));
  const limit = weight_limit(all);
  const x = (w: number): number =>
    margins.marginLeft + ((w + limit) / (2 * limit)) * (width - margins.marginLeft - margins.marginRight);
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
      label: sides_label(report, "weight", width - margins.marginLeft - margins.marginRight),
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

export function threshold_sentence(report: ReportData, threshold: number): string {
  const found = discoveries(report.feature_table, threshold);
  const tabled = report.feature_table.name.length;
  if (found.count === 0) return `No feature has an inclusion of ${probability(threshold)} or more.`;
  const cut =
    found.count === tabled && tabled < report.feature_total
      ? ` (at least: the page holds the ${count(tabled)} most included of ${count(report.feature_total)})`
      : "";
  const all = report.expected_relevant;
  const missed = is_number(all) ? Math.max(0, all - (found.count - found.expected_false)) : null;
  const rest =
    missed === null
      ? ""
      : ` About ${number(missed, missed < 10 ? 2 : 3)} that matter are expected below the threshold.`;
  return `${plural(found.count, "feature")}${cut} with inclusion \u2265 ${probability(threshold)}; expect ${number(found.expected_false, 3)} of them to be false (${percent(found.fraction_false)}).${rest}`;
}

interface ThresholdState {
  value: number;
}

function threshold_control(report: ReportData, state: ThresholdState, changed: () => void): HTMLElement {
  const output = el("output", { class: "expected", for: "threshold", "aria-live": "polite" });
  const slider = el("input", { type: "range", id: "threshold", min: 0, max: 1, step: "any" });
  slider.step = String(slider_step);
  const set = (value: number): void => {
    state.value = value;
    output.textContent = threshold_sentence(report, value);
    changed();
  };
  slider.addEventListener("input", () => set(slider.valueAsNumber));
  const preset = (rate: number): HTMLElement => {
    const threshold = threshold_for(report.feature_table, rate);
    const jump = (): void => {
      if (threshold === null) return;
      slider.value = String(threshold);
      set(threshold);
    };
    return el("button", { type: "button", disabled: threshold === null, click: jump }, `at most ${100 * rate} % false`);
  };
  slider.value = String(state.value);
  output.textContent = threshold_sentence(report, state.value);
  return el(
    "div",
    { class: "threshold" },
    el("label", { for: "threshold" }, "List features with inclusion of at least"),
    slider,
    output,
    el(
      "div",
      { class: "presets", role: "group", "aria-label": "Thresholds by expected share of false features" },
      preset(0.05),
      preset(0.1),
      preset(0.2),
    ),
  );
}

function feature_columns(report: ReportData): TableColumn[] {
  const table = report.feature_table;
  const grouped = table.group.some((g) => g >= 0);
  return [
    { title: "feature", values: table.name.map(String) },
    {
      title: "inclusion",
      values: table.inclusion,
      format: probability,
      hint: "posterior probability that the feature is used",
    },
    {
      title: "weight",
      values: table.weight,
      format: number,
      hint: "posterior mean; positive speaks for the positive class",
    },
    { title: "sd", values: table.sd, format: number, hint: "posterior standard deviation of the weight" },
    ...(grouped
      ? [
          {
            title: "group",
            values: table.group.map((g) => (g < 0 ? null : g)),
            format: (g: number | null) => (g === null ? "" : String(g)),
            hint: "features so correlated that they share their inclusion",
          },
        ]
      : []),
  ];
}

function list_filter(
  report: ReportData,
  state: ThresholdState,
  table: DataTable,
): { element: HTMLElement; apply: () => void } {
  const box = el("input", { type: "checkbox", id: "only-listed" });
  const apply = (): void => {
    const { inclusion } = report.feature_table;
    table.keep(box.checked ? (row) => (inclusion[row] ?? -1) >= state.value : null);
  };
  box.addEventListener("change", apply);
  const update = (): void => {
    if (box.checked) apply();
  };
  return { element: el("label", { class: "only" }, box, "only those at or above the threshold"), apply: update };
}

function group_note(report: ReportData): string | null {
  const groups = new Set(report.feature_table.group.filter((g) => g >= 0)).size;
  if (!groups) return null;
  return `${plural(groups, "group")} of features: so correlated that the data cannot say which member matters. The members share their inclusion; count a group as one finding.`;
}

export function features(report: ReportData): HTMLElement {
  const points = points_of(report);
  const state = { value: first_threshold(report.feature_table.inclusion) };
  const table = data_table({
    label: "Features",
    search: "Search features",
    columns: feature_columns(report),
    page_size: 25,
  });
  const filter = list_filter(report, state, table);
  const control = threshold_control(report, state, () => {
    figure.redraw();
    filter.apply();
  });
  const figure = chart({
    title: "Inclusion probability against weight",
    label: `Inclusion probability against weight of ${plural(points.length, "feature")}; the most included are ${points
      .slice(0, 5)
      .map((p) => short_name(p.name, 20))
      .join(", ")}.`,
    draw: (width) => draw(report, points, state.value, width),
    controls: legend([
      { text: "at or above the threshold", color: "var(--accent)", shape: "circle" },
      { text: "below", color: "var(--faint)", shape: "circle" },
    ]),
    caption:
      "Inclusion: the posterior probability that a feature is used at all. Weight: its posterior mean effect. Expected false: the sum of 1 \u2212 inclusion over the list (Bayesian false discovery rate). Features drawn on the same spot share a dot.",
    table: () => ({ label: "Features drawn", columns: feature_columns(report).slice(0, 4) }),
  });
  const cut = report.feature_total > report.feature_table.name.length;
  const held = cut
    ? `The page holds the ${count(report.feature_table.name.length)} most included of ${count(report.feature_total)} features; the command "cavity features" lists all of them.`
    : null;
  const spread =
    points.length > 0 && points[0]!.inclusion < 0.5
      ? "No single feature is needed: none has an inclusion of one half. The evidence is spread over many features, or shared by correlated ones that can stand in for each other; the list is a ranking, not a set of findings."
      : null;
  const paragraphs = [group_note(report), held].filter((text) => text !== null).map((text) => el("p", {}, text));
  return section(
    "features",
    "Features",
    spread && el("p", {}, spread),
    control,
    figure.element,
    ...paragraphs,
    el("h3", {}, "All features"),
    filter.element,
    table.element,
  );
}
