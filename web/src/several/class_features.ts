// Features and the classes that they speak for: a heat map of the most included ones, and the table of all.
import { chart, legend } from "../charts/chart";
import { draw_shaded } from "../charts/shaded_cells";
import { data_table, type TableOptions } from "../parts/data_table";
import { el } from "../parts/dom";
import { count, is_number, number, plural, probability, short_name } from "../parts/format";
import { section } from "../sections/section";
import { discoveries } from "../statistics/discoveries";
import type { SeveralData } from "./several_data";

const most_drawn = 30;

type Measure = "class_weight" | "class_inclusion";
const names: Record<Measure, string> = { class_weight: "Weight", class_inclusion: "Inclusion" };

/** Numbers that fit a cell, two digits of the largest: "0.27", "\u22120.04", and nothing for what rounds to 0. */
function cell_format(most: number): (value: number) => string {
  const decimals = most > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(0.99 * most)))) : 0;
  return (value) => {
    const text = Math.abs(value).toFixed(decimals);
    return Number(text) === 0 ? "" : (value < 0 ? "\u2212" : "") + text;
  };
}

function tip_text(report: SeveralData, row: number, k: number): string {
  const table = report.feature_table;
  return (
    `${short_name(table.name[row]!, 30)}\n${short_name(report.classes[k]!.name, 24)} against the rest\n` +
    `inclusion ${probability(table.class_inclusion[row]![k])}\nweight ${number(table.class_weight[row]![k], 3)} \u00b1 ${number(table.class_sd[row]![k], 2)}`
  );
}

function draw(report: SeveralData, measure: Measure, width: number): SVGSVGElement {
  const values = report.feature_table[measure].slice(0, most_drawn);
  const most = measure === "class_inclusion" ? 1 : Math.max(0, ...values.flat().filter(is_number).map(Math.abs));
  return draw_shaded(
    {
      rows: report.feature_table.name.slice(0, most_drawn).map(String),
      columns: report.classes.map((c) => c.name),
      values,
      most,
      format: cell_format(most),
      tip: (row, k) => tip_text(report, row, k),
    },
    width,
  );
}

function measure_toggle(pick: (measure: Measure) => void): HTMLElement {
  const choice = (measure: Measure): HTMLElement =>
    el(
      "label",
      {},
      el("input", {
        type: "radio",
        name: "feature-measure",
        value: measure,
        checked: measure === "class_weight",
        change: () => pick(measure),
      }),
      names[measure],
    );
  return el(
    "fieldset",
    { class: "toggle" },
    el("legend", {}, "Show, of each class against the rest,"),
    choice("class_weight"),
    choice("class_inclusion"),
  );
}

/** The numbers behind the heat map, of all features of the table: a column a class. */
function class_columns(report: SeveralData, measure: Measure): TableOptions {
  const table = report.feature_table;
  return {
    label: `${names[measure]} of features, by class`,
    search: "Search features of the heat map",
    columns: [
      { title: "feature", values: table.name },
      ...report.classes.map((c, k) => ({
        title: short_name(c.name, 20),
        values: table[measure].map((row) => row[k] ?? null),
        format: measure === "class_weight" ? number : probability,
        hint: `${names[measure].toLowerCase()} for ${short_name(c.name)} against the rest`,
      })),
    ],
  };
}

function feature_columns(report: SeveralData): TableOptions {
  const table = report.feature_table;
  const places = new Map(report.classes.map((c, k) => [c.name, k]));
  const of_class = (rows: (number | null)[][]): (number | null)[] =>
    rows.map((row, i) => row[places.get(table.class[i]!) ?? -1] ?? null);
  return {
    label: "Features",
    search: "Search features",
    page_size: 25,
    columns: [
      { title: "feature", values: table.name },
      { title: "inclusion", values: table.inclusion, format: probability, hint: "the largest over the classes" },
      { title: "class", values: table.class, hint: "the one of that inclusion" },
      { title: "weight", values: of_class(table.class_weight), format: number, hint: "positive: speaks for the class" },
      { title: "sd", values: of_class(table.class_sd), format: number },
      {
        title: "expected false",
        values: table.expected_false,
        format: number,
        hint: "of the features down to this one, how many are expected to be false",
      },
    ],
  };
}

function found_sentence(report: SeveralData): string {
  const found = discoveries(report.feature_table, 0.5);
  const cut = report.feature_table.name.length < report.feature_total;
  return (
    `${plural(found.count, "feature")} of ${count(report.feature_total)} ${found.count === 1 ? "has" : "have"} an inclusion of at least 0.5 for some class, ` +
    `with ${number(found.expected_false, 2)} expected to be false ones. Inclusion is the probability that a feature takes part in telling a class from the rest; ` +
    `over all classes it is the largest of them, the least that the probability of mattering for any class can be.` +
    (cut ? ` The table has the ${count(report.feature_table.name.length)} most included.` : "")
  );
}

export function class_features(report: SeveralData): HTMLElement {
  if (report.feature_table.name.length === 0) return section("features", "Features", el("p", {}, "No features."));
  let measure: Measure = "class_weight";
  const drawn = Math.min(most_drawn, report.feature_table.name.length);
  const figure = chart({
    title: `The ${plural(drawn, "most included feature")}, by class`,
    label: `Heat map of weight or inclusion of ${plural(drawn, "feature")} for ${plural(report.classes.length, "class", "classes")}.`,
    draw: (width) => draw(report, measure, width),
    controls: el(
      "div",
      {},
      measure_toggle((picked) => {
        measure = picked;
        figure.refresh();
      }),
      legend([
        { text: "positive: speaks for the class", color: "var(--positive)", shape: "square" },
        { text: "negative: speaks against it", color: "var(--negative)", shape: "square" },
      ]),
    ),
    caption:
      "Weights are means of the posterior, per unit of the feature as inference saw it; the stronger the colour, the larger. Empty cells round to 0; a narrow page has no room for numbers, which the table under the chart holds.",
    table: () => class_columns(report, measure),
  });
  return section(
    "features",
    "Which features matter for which class?",
    el("p", {}, found_sentence(report)),
    figure.element,
    data_table(feature_columns(report)).element,
  );
}
