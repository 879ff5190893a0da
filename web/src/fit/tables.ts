// The report's tables as columns, to take away: names as in `fit --json`, a column a class where it has numbers.
import type { CsvColumn, CsvValue } from "../parts/csv";
import { all_cells, asked } from "./questions";
import type { Num, ReportData } from "./report_data";

export interface NamedTable {
  file: string;
  title: string;
  readonly columns: CsvColumn[];
}

// Of a grid cell, in the order of the CSV file.
const cell_columns = [
  "density",
  "noise",
  "width",
  "kept",
  "status",
  "usable",
  "reliable",
  "by_folds",
  "iterations",
  "residual",
  "loo_error",
  "loo_log_loss",
  "log_evidence",
  "weight",
] as const;

const by_name = (names: string[], prefix: string, rows: Num[][]): CsvColumn[] =>
  names.map((name, k) => ({ name: `${prefix}_${name}`, values: rows.map((row) => row[k] ?? null) }));

function confusion_table(report: ReportData): NamedTable | null {
  if (!report.confusion) return null;
  const names = report.classes.map((c) => c.name);
  return {
    file: "confusion.csv",
    title: "Confusion",
    columns: [{ name: "truth", values: names }, ...by_name(names, "called", report.confusion)],
  };
}

function grid_table(report: ReportData): NamedTable {
  const cells = all_cells(report);
  return {
    file: "grid.csv",
    title: "Grid cells",
    columns: [
      { name: "class", values: cells.map((c) => asked(report, c.question)) },
      ...cell_columns.map((name) => ({ name, values: cells.map(({ cell }): CsvValue => cell[name] ?? null) })),
      { name: "chosen", values: cells.map((c) => c.chosen) },
    ],
  };
}

function sample_table(report: ReportData): NamedTable {
  const { name, label, called, loo_probability, reliable } = report.sample_table;
  const names = report.classes.map((c) => c.name);
  return {
    file: "samples.csv",
    title: "Samples",
    columns: [
      { name: "sample", values: name },
      { name: "label", values: label },
      { name: "called", values: name.map((_, i) => called[i] ?? null) },
      ...by_name(names, "p", name.map((_, i) => loo_probability[i] ?? [])),
      { name: "reliable", values: name.map((_, i) => reliable[i] ?? null) },
    ],
  };
}

function feature_table(report: ReportData): NamedTable {
  const table = report.feature_table;
  const names = report.questions.map((q) => q.class);
  return {
    file: "features.csv",
    title: "Features",
    columns: [
      { name: "feature", values: table.name },
      { name: "inclusion", values: table.inclusion },
      { name: "class", values: table.class },
      { name: "group", values: table.group.map((g) => (g < 0 ? null : g)) },
      { name: "expected_false", values: table.expected_false },
      ...by_name(names, "inclusion", table.class_inclusion),
      ...by_name(names, "weight", table.class_weight),
      ...by_name(names, "sd", table.class_sd),
      ...by_name(names, "difference", table.class_difference),
      ...by_name(names, "t", table.class_t),
      ...by_name(names, "q", table.class_q),
    ],
  };
}

/** A row a question and sample; a feature that is not listed for a question is empty there, and in its rest. */
function contribution_columns(report: ReportData): CsvColumn[] {
  const names = [...new Set(report.contributions.flatMap((c) => c?.features ?? []))];
  const columns = ["class", "sample", "(intercept)", ...names, "(rest)"].map((name) => ({ name, values: [] as CsvValue[] }));
  report.contributions.forEach((c, k) => {
    const place = new Map(c?.features.map((name, i) => [name, i]));
    c?.values.forEach((values, sample) => {
      const listed = names.map((name) => values[place.get(name) ?? -1] ?? null);
      const row = [asked(report, k), report.sample_table.name[sample]!, c.intercept, ...listed, c.rest[sample] ?? null];
      row.forEach((value, i) => columns[i]!.values.push(value));
    });
  });
  return columns;
}

function contribution_table(report: ReportData): NamedTable | null {
  if (report.contributions.every((c) => c === null)) return null;
  return {
    file: "contributions.csv",
    title: "Contributions",
    get columns() {
      return contribution_columns(report); // large: made when it is asked for
    },
  };
}

function forecast_table({ forecast }: ReportData): NamedTable | null {
  if (!forecast?.points.length) return null;
  return {
    file: "forecast.csv",
    title: "Forecast",
    columns: [
      { name: "samples", values: forecast.points.map((p) => p.samples) },
      { name: "error", values: forecast.points.map((p) => p.error) },
      { name: "low", values: forecast.points.map((p) => p.interval[0]) },
      { name: "high", values: forecast.points.map((p) => p.interval[1]) },
    ],
  };
}

export function all_tables(report: ReportData): NamedTable[] {
  const tables = [
    confusion_table(report),
    grid_table(report),
    sample_table(report),
    feature_table(report),
    contribution_table(report),
    forecast_table(report),
  ];
  return tables.filter((table) => table !== null);
}
