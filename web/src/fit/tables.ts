// The report's tables as columns: the same columns are shown under the charts and written to CSV.
import type { CsvColumn } from "../parts/csv";
import type { ReportData } from "./report_data";

export interface NamedTable {
  file: string;
  title: string;
  columns: CsvColumn[];
}

// Of a grid cell, in the order of the CSV file.
export const cell_columns = [
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

export function grid_table(report: ReportData): NamedTable {
  const column = <K extends keyof ReportData["grid"][number]>(name: K): CsvColumn => ({
    name,
    values: report.grid.map((cell) => (cell[name] ?? null) as CsvColumn["values"][number]),
  });
  return {
    file: "grid.csv",
    title: "Grid cells",
    columns: [
      ...cell_columns.map(column),
      { name: "chosen", values: report.grid.map((_, i) => i === report.chosen) },
    ],
  };
}

export function sample_table(report: ReportData): NamedTable {
  const { name, label, loo_probability, reliable } = report.sample_table;
  return {
    file: "samples.csv",
    title: "Samples",
    columns: [
      { name: "sample", values: name },
      { name: "label", values: label },
      { name: "loo_probability", values: loo_probability },
      { name: "reliable", values: reliable },
    ],
  };
}

export function feature_table(report: ReportData): NamedTable {
  const { name, inclusion, weight, sd, group } = report.feature_table;
  return {
    file: "features.csv",
    title: "Features",
    columns: [
      { name: "feature", values: name },
      { name: "inclusion", values: inclusion },
      { name: "weight", values: weight },
      { name: "sd", values: sd },
      { name: "group", values: group.map((g) => (g < 0 ? null : g)) },
    ],
  };
}

export function contribution_table(report: ReportData): NamedTable | null {
  const { contributions } = report;
  if (!contributions) return null;
  return {
    file: "contributions.csv",
    title: "Contributions",
    columns: [
      { name: "sample", values: report.sample_table.name },
      { name: "(intercept)", values: contributions.values.map(() => contributions.intercept) },
      ...contributions.features.map((name, i) => ({ name, values: contributions.values.map((row) => row[i] ?? null) })),
      { name: "(rest)", values: contributions.rest },
    ],
  };
}

export function learning_table(report: ReportData): NamedTable | null {
  const curve = report.learning_curve;
  if (!curve) return null;
  return {
    file: "learning_curve.csv",
    title: "Learning curve",
    columns: [
      { name: "samples", values: curve.samples },
      { name: "expected_error", values: curve.error },
    ],
  };
}

export function all_tables(report: ReportData): NamedTable[] {
  const tables = [
    grid_table(report),
    sample_table(report),
    feature_table(report),
    contribution_table(report),
    learning_table(report),
  ];
  return tables.filter((table) => table !== null);
}
