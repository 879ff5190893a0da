// Leave-one-out error and log loss over density x noise, and what was chosen.
import { chart, legend } from "../charts/chart";
import type { TableOptions } from "../parts/data_table";
import { el } from "../parts/dom";
import { number, percent } from "../parts/format";
import { HeatMap, type Measure } from "../charts/heat_map";
import type { Cell, ReportData } from "../fit/report_data";
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

function grid_columns(report: ReportData): TableOptions {
  const of = <K extends keyof Cell>(key: K): Cell[K][] => report.grid.map((cell) => cell[key]);
  return {
    label: "Grid cells: leave-one-out error and log loss",
    columns: [
      { title: "density", values: of("density"), format: number },
      { title: "noise", values: of("noise"), format: number },
      { title: "width", values: report.grid.map((cell) => cell.width ?? 0), format: number },
      { title: "error", values: of("loo_error"), format: percent },
      { title: "log loss", values: of("loo_log_loss"), format: number },
      { title: "log evidence", values: of("log_evidence"), format: number },
      { title: "mixture weight", values: of("weight"), format: number },
      { title: "status", values: of("status") },
    ],
    mark: (r) => (r === report.chosen ? "chosen" : null),
  };
}

function label(report: ReportData): string {
  const cell = report.grid[report.chosen];
  const chosen = cell
    ? ` The chosen cell has density ${number(cell.density)}, noise ${number(cell.noise)} and leave-one-out error ${percent(cell.loo_error)}.`
    : "";
  return `Heat map of leave-one-out error or log loss over density and noise, ${report.grid.length} cells.${chosen} Arrow keys move between cells.`;
}

export function grid(report: ReportData): HTMLElement {
  const map = new HeatMap(report);
  const controls = measure_toggle(map, () => figure.redraw());
  const figure = chart({
    title: "Leave-one-out error (%) or log loss, by density and noise",
    label: label(report),
    draw: (width) => map.draw(width),
    controls,
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
      "Density is the fraction of features kept; noise is how often a label contradicts its features (for probit and logistic activations: how soft the boundary is); width is how soft the boundary is beside such noise, in units of the spread of the fields. Only cells on the way to the best are visited. Empty: not visited. \u00d7: not converged, takes no part. ?: leave-one-out doubtful. Darker is better.",
    table: () => grid_columns(report),
    interactive: true,
  });
  return section("grid", "Choice of density and noise", figure.element);
}
