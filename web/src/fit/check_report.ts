// A fit as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, table_rows, type Loose } from "../parts/checks";
import type { ReportData } from "./report_data";

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
  const report: Loose = { contributions: null, learning_curve: null, ...require_object(value) };
  require_fields(report, "", "string", ["version", "file", "positive", "negative", "solver", "solver_reason"]);
  require_fields(report, "", "number", ["samples", "features", "kept_features", "chosen", "feature_total"]);
  require_fields(report, "", "object", ["options", "classes", "sample_table", "feature_table", "citation"]);
  require_fields(report, "", "array", ["grid", "warnings", "notes"]);
  const samples = table_rows(report["sample_table"] as Loose, "sample_table", [
    "name",
    "label",
    "loo_probability",
    "reliable",
  ]);
  table_rows(report["feature_table"] as Loose, "feature_table", [
    "name",
    "inclusion",
    "weight",
    "sd",
    "group",
    "expected_false",
  ]);
  check_contributions(report["contributions"] as Loose | null, samples);
  if (report["learning_curve"] !== null)
    table_rows(report["learning_curve"] as Loose, "learning_curve", ["samples", "error"]);
  return report as unknown as ReportData;
}
