// Which features matter: a list with a threshold, how many of it to expect false, and what each says of each class.
import { data_table, type DataTable, type TableColumn } from "../parts/data_table";
import { el } from "../parts/dom";
import { discoveries, threshold_for } from "../statistics/discoveries";
import { count, is_number, number, percent, plural, probability } from "../parts/format";
import { verdict } from "../fit/headline";
import { has_choice } from "../fit/questions";
import type { Num, ReportData } from "../fit/report_data";
import { feature_map } from "./feature_map";
import { feature_scatter } from "./feature_scatter";
import { how_many } from "./how_many";
import { section } from "./section";

const slider_step = 0.005;

/** 0.5 where a feature reaches it; otherwise the ten most included, so that the list is never empty. */
export function first_threshold(inclusion: readonly Num[]): number {
  const known = inclusion.filter(is_number).sort((a, b) => b - a);
  if (known.length === 0 || known[0]! >= 0.5) return 0.5;
  return Math.floor((known[Math.min(9, known.length - 1)] ?? 0) / slider_step) * slider_step;
}

export function threshold_sentence(report: ReportData, threshold: number): string {
  const found = discoveries(report.feature_table, threshold);
  const tabled = report.feature_table.name.length;
  if (found.count === 0) return `No feature has an inclusion of ${probability(threshold)} or more.`;
  const cut =
    found.count === tabled && tabled < report.feature_total
      ? ` (at least: the page holds the ${count(tabled)} most included of ${count(report.feature_total)})`
      : "";
  const all = report.expected_relevant; // of the largest over the classes, as the list is
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
    const withheld = report.permutation.shown === false; // what chance leaves over is no list
    const threshold = withheld ? null : threshold_for(report.feature_table, rate);
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

/** Weight and its error are those for the class that a feature speaks of. */
function feature_columns(report: ReportData): TableColumn[] {
  const table = report.feature_table;
  const places = new Map(report.questions.map((q, k) => [q.class, k]));
  const own = (rows: Num[][]): Num[] => rows.map((row, i) => row[places.get(table.class[i]!) ?? -1] ?? null);
  const grouped = table.group.some((g) => g >= 0);
  return [
    { title: "feature", values: table.name.map(String) },
    {
      title: "inclusion",
      values: table.inclusion,
      format: probability,
      hint: `posterior probability that the feature is used${has_choice(report) ? "; the largest over the classes" : ""}`,
    },
    ...(has_choice(report) ? [{ title: "class", values: table.class, hint: "the one of that inclusion" }] : []),
    {
      title: "weight",
      values: own(table.class_weight),
      format: number,
      hint: `posterior mean; positive speaks for ${has_choice(report) ? "the class" : report.questions[0]!.class}`,
    },
    { title: "sd", values: own(table.class_sd), format: number, hint: "posterior standard deviation of the weight" },
    {
      title: "expected false",
      values: table.expected_false,
      format: number,
      hint: "of the features down to this one, how many are expected to be false",
    },
    { title: "alone", values: own(table.class_difference), format: number, hint: "of this feature alone: difference of the means, on the scale of the weights" },
    { title: "t", values: own(table.class_t), format: number, hint: "Student's t of that difference" },
    { title: "q", values: own(table.class_q), format: number, hint: "false-discovery rate at which the feature alone would be listed; not a part of the model" },
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

/** What the list can be taken for, before anybody reads it. */
function standing(report: ReportData): HTMLElement | null {
  const largest = report.feature_table.inclusion[0];
  if (report.permutation.shown === false)
    return el("p", { class: "warning" }, `${verdict(report).text} What follows is a ranking of what chance leaves over, not a set of findings.`);
  if (!is_number(largest) || largest >= 0.5) return null;
  return el(
    "p",
    {},
    "No single feature is needed: none has an inclusion of one half. The evidence is spread over many features, or shared by correlated ones that can stand in for each other; the list is a ranking, not a set of findings.",
  );
}

function notes(report: ReportData): HTMLElement[] {
  const { feature_table, feature_total } = report;
  const overall = has_choice(report)
    ? "The inclusion of a feature is the largest over the classes, each against the rest: the least that the probability of mattering for any class can be."
    : null;
  const held =
    feature_total > feature_table.name.length
      ? `The page holds the ${count(feature_table.name.length)} most included of ${count(feature_total)} features; the command "cavity features" lists all of them.`
      : null;
  return [overall, group_note(report), held].filter((text) => text !== null).map((text) => el("p", {}, text));
}

export function features(report: ReportData): HTMLElement {
  if (report.feature_table.name.length === 0) return section("features", "Features", el("p", {}, "No features."));
  const state = { value: first_threshold(report.feature_table.inclusion) };
  const table = data_table({
    label: "Features",
    search: "Search features",
    columns: feature_columns(report),
    page_size: 25,
  });
  const filter = list_filter(report, state, table);
  const control = threshold_control(report, state, () => {
    scatter.redraw();
    filter.apply();
  });
  const scatter = feature_scatter(report, () => state.value);
  return section(
    "features",
    "Features",
    standing(report),
    how_many(report),
    control,
    has_choice(report) && feature_map(report),
    scatter.element,
    ...notes(report),
    el("h3", {}, "All features"),
    filter.element,
    table.element,
  );
}
