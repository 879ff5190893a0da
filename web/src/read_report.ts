// JSON text -> ReportData, or an error that says what is wrong: a page with half a report must not look like a report.
import type { ReportData } from "./report_data";

export class BadReport extends Error {}

type Loose = Record<string, unknown>;

function require_fields(object: Loose, where: string, kind: string, names: string[]): void {
  for (const name of names) {
    const value = object[name];
    const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    if (found !== kind) throw new BadReport(`${where}${name} should be of type ${kind}, and is ${found}`);
  }
}

/** All columns of a table must be arrays of one length, which is returned. */
function table_rows(table: Loose, where: string, columns: string[]): number {
  require_fields(table, `${where}.`, "array", columns);
  const lengths = columns.map((column) => (table[column] as unknown[]).length);
  if (new Set(lengths).size > 1) {
    throw new BadReport(
      `${where}: columns of different lengths (${columns.map((c, i) => `${c} ${lengths[i]}`).join(", ")})`,
    );
  }
  return lengths[0] ?? 0;
}

function check_contributions(contributions: Loose | null, samples: number): void {
  if (contributions === null) return;
  require_fields(contributions, "contributions.", "array", ["features", "values", "rest"]);
  const features = (contributions["features"] as unknown[]).length;
  const values = contributions["values"] as unknown[][];
  if (values.length !== samples || (contributions["rest"] as unknown[]).length !== samples) {
    throw new BadReport(`contributions: ${values.length} rows for ${samples} samples`);
  }
  if (values.some((row) => !Array.isArray(row) || row.length !== features)) {
    throw new BadReport(`contributions: a row does not have ${features} values`);
  }
}

export function check_report(value: unknown): ReportData {
  if (typeof value !== "object" || value === null) throw new BadReport("the report is not a JSON object");
  const report = { contributions: null, learning_curve: null, ...value } as Loose;
  require_fields(report, "", "string", ["version", "file", "positive", "negative", "solver", "why"]);
  require_fields(report, "", "number", ["samples", "features", "kept_features", "chosen", "feature_total"]);
  require_fields(report, "", "object", ["options", "classes", "sample_table", "feature_table", "citation"]);
  require_fields(report, "", "array", ["grid", "warnings", "notes"]);
  const samples = table_rows(report["sample_table"] as Loose, "sample_table", [
    "name",
    "label",
    "loo_probability",
    "reliable",
  ]);
  table_rows(report["feature_table"] as Loose, "feature_table", ["name", "inclusion", "weight", "sd", "group"]);
  check_contributions(report["contributions"] as Loose | null, samples);
  if (report["learning_curve"] !== null)
    table_rows(report["learning_curve"] as Loose, "learning_curve", ["samples", "error"]);
  return report as unknown as ReportData;
}

export function read_report(text: string): ReportData {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadReport(
      "this file holds no fit: it is the empty template (write a report with: cavity fit data.csv --report page.html)",
    );
  }
  return check_report(value);
}
