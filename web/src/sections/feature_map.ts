// Which feature speaks for which class: a heat map of the most included ones, classes side by side.
import { chart, legend } from "../charts/chart";
import { draw_shaded } from "../charts/shaded_cells";
import type { TableOptions } from "../parts/data_table";
import { el } from "../parts/dom";
import { is_number, number, plural, probability, short_name } from "../parts/format";
import { asked, question_words } from "../fit/questions";
import type { ReportData } from "../fit/report_data";

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

function tip_text(report: ReportData, row: number, k: number): string {
  const table = report.feature_table;
  return (
    `${short_name(String(table.name[row]), 30)}\n${question_words(report, k)}\n` +
    `inclusion ${probability(table.class_inclusion[row]![k])}\nweight ${number(table.class_weight[row]![k], 3)} \u00b1 ${number(table.class_sd[row]![k], 2)}`
  );
}

function draw(report: ReportData, measure: Measure, width: number): SVGSVGElement {
  const values = report.feature_table[measure].slice(0, most_drawn);
  const most = measure === "class_inclusion" ? 1 : Math.max(0, ...values.flat().filter(is_number).map(Math.abs));
  return draw_shaded(
    {
      rows: report.feature_table.name.slice(0, most_drawn).map(String),
      columns: report.questions.map((q) => q.class),
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
function class_columns(report: ReportData, measure: Measure): TableOptions {
  const table = report.feature_table;
  return {
    label: `${names[measure]} of features, by class`,
    search: "Search features of the heat map",
    columns: [
      { title: "feature", values: table.name.map(String) },
      ...report.questions.map((q, k) => ({
        title: short_name(q.class, 20),
        values: table[measure].map((row) => row[k] ?? null),
        format: measure === "class_weight" ? number : probability,
        hint: `${names[measure].toLowerCase()} for ${short_name(asked(report, k))} against the rest`,
      })),
    ],
  };
}

export function feature_map(report: ReportData): HTMLElement {
  let measure: Measure = "class_weight";
  const drawn = Math.min(most_drawn, report.feature_table.name.length);
  const figure = chart({
    title: `The ${plural(drawn, "most included feature")}, by class`,
    label: `Heat map of weight or inclusion of ${plural(drawn, "feature")} for ${plural(report.questions.length, "class", "classes")}.`,
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
  return figure.element;
}
