// The tables of more than two classes, to take away: names as in `fit --json`, a column a class where it has numbers.
import type { CsvColumn } from "../parts/csv";
import { cell_columns, type NamedTable } from "../fit/tables";
import type { Cell, Num } from "../fit/report_data";
import type { SeveralData } from "./several_data";

function by_class(report: SeveralData, prefix: string, rows: Num[][]): CsvColumn[] {
  return report.classes.map((c, k) => ({ name: `${prefix}_${c.name}`, values: rows.map((row) => row[k] ?? null) }));
}

function confusion_table(report: SeveralData): NamedTable {
  return {
    file: "confusion.csv",
    title: "Confusion",
    columns: [
      { name: "truth", values: report.classes.map((c) => c.name) },
      ...by_class(report, "called", report.confusion),
    ],
  };
}

function sample_table(report: SeveralData): NamedTable {
  const { name, label, loo_probability, reliable } = report.sample_table;
  return {
    file: "samples.csv",
    title: "Samples",
    columns: [
      { name: "sample", values: name },
      { name: "label", values: label },
      ...by_class(report, "p", loo_probability),
      { name: "reliable", values: reliable },
    ],
  };
}

function feature_table(report: SeveralData): NamedTable {
  const table = report.feature_table;
  return {
    file: "features.csv",
    title: "Features",
    columns: [
      { name: "feature", values: table.name },
      { name: "inclusion", values: table.inclusion },
      { name: "class", values: table.class },
      ...by_class(report, "inclusion", table.class_inclusion),
      ...by_class(report, "weight", table.class_weight),
      ...by_class(report, "sd", table.class_sd),
    ],
  };
}

function grid_table(report: SeveralData): NamedTable {
  const cells = report.per_class.flatMap((c) => c.grid.map((cell): [string, Cell] => [c.name, cell]));
  return {
    file: "grids.csv",
    title: "Grid cells of every class",
    columns: [
      { name: "class", values: cells.map(([name]) => name) },
      ...cell_columns.map((name) => ({ name, values: cells.map(([, cell]) => cell[name] ?? null) })),
    ],
  };
}

export function several_tables(report: SeveralData): NamedTable[] {
  return [confusion_table(report), sample_table(report), feature_table(report), grid_table(report)];
}
