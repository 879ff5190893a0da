// Leave-one-out error and log loss over density x noise, and what was chosen.
import { chart, legend } from "../charts/chart";
import type { TableOptions } from "../parts/data_table";
import { el } from "../parts/dom";
import { number, percent, short_name } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import { HeatMap, type Measure } from "../charts/heat_map";
import { has_choice, question_switch, question_words } from "../fit/questions";
import type { Cell, Question, ReportData } from "../fit/report_data";
import { section } from "./section";

const names: Record<Measure, string> = { loo_error: "Error", loo_log_loss: "Log loss" };

function measure_toggle(map: HeatMap, redraw: () => void): HTMLElement {
  const choice = (measure: Measure): HTMLElement => {
    const input = el("input", { type: "radio", name: "measure", value: measure, checked: measure === map.measure });
    input.addEventListener("change", () => {
      map.measure = measure;
      redraw();
    });
    return el("label", {}, input, names[measure]);
  };
  return el(
    "fieldset",
    { class: "toggle" },
    el("legend", {}, "Show leave-one-out"),
    choice("loo_error"),
    choice("loo_log_loss"),
  );
}

function grid_columns({ grid, chosen }: Question): TableOptions {
  const of = <K extends keyof Cell>(key: K): Cell[K][] => grid.map((cell) => cell[key]);
  return {
    label: "Grid cells: leave-one-out error and log loss",
    columns: [
      { title: "density", values: of("density"), format: number },
      { title: "noise", values: of("noise"), format: number },
      { title: "width", values: of("width"), format: number },
      { title: "error", values: of("loo_error"), format: percent },
      { title: "log loss", values: of("loo_log_loss"), format: number },
      { title: "log evidence", values: of("log_evidence"), format: number },
      { title: "mixture weight", values: of("weight"), format: number },
      { title: "status", values: of("status") },
    ],
    mark: (r) => (r === chosen ? "chosen" : null),
  };
}

function label(words: string, { grid, chosen }: Question): string {
  const cell = grid[chosen];
  const found = cell
    ? ` The chosen cell has density ${number(cell.density)}, noise ${number(cell.noise)} and leave-one-out error ${percent(cell.loo_error)}.`
    : "";
  return `Heat map of leave-one-out error or log loss over density and noise, ${words}, ${grid.length} cells.${found} Arrow keys move between cells.`;
}

function chosen_row(report: ReportData, { grid, chosen, solver }: Question, k: number): string[] {
  const cell = grid[chosen];
  if (!cell) return [question_words(report, k, 16), "", "", "", "", ""];
  return [
    question_words(report, k, 16),
    number(cell.density, 3),
    number(cell.kept, 3),
    number(cell.noise, 3),
    number(cell.weight, 2),
    short_name(cell.usable ? solver : cell.status),
  ];
}

export function grid(report: ReportData): HTMLElement {
  let shown = 0;
  const question = (): Question => report.questions[shown]!;
  const map = new HeatMap(question());
  const choice = question_switch(report, (k) => {
    shown = k;
    map.use(question());
    figure.refresh();
  });
  const figure = chart({
    title: "Leave-one-out error (%) or log loss, by density and noise",
    label: () => label(question_words(report, shown), question()),
    draw: (width) => map.draw(width),
    controls: el("div", { class: "controls" }, choice.element, measure_toggle(map, () => figure.redraw())),
    below: el(
      "div",
      {},
      map.scale_bar,
      map.readout,
      legend([
        { text: "outlined: chosen cell (the heaviest of the mixture)", color: "currentColor", shape: "outline" },
      ]),
    ),
    caption:
      "Density is the fraction of features kept; noise is how often a label contradicts its features (for probit and logistic activations: how soft the boundary is); width is how soft the boundary is beside such noise, in units of the spread of the fields. Only cells on the way to the best are solved; empty places are not. \u00d7: not converged, takes no part. ?: leave-one-out doubtful. Darker is better. An error near 100\u00a0% is that of a cell that finds nothing and calls the commoner class: of classes of one size that is the other one once a sample is left out.",
    table: () => grid_columns(question()),
    interactive: true,
  });
  return section(
    "grid",
    "Choice of density and noise",
    has_choice(report) &&
      plain_table(
        "the heaviest cell of each class",
        ["the heaviest cell", "density", "kept", "noise", "weight", "solver"],
        report.questions.map((q, k) => chosen_row(report, q, k)),
      ),
    figure.element,
  );
}
