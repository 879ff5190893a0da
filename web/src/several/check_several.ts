// A fit of more than two classes as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, table_rows, type Loose } from "../parts/checks";
import type { SeveralData } from "./several_data";

function check_rows(value: unknown, where: string, columns: number): void {
  const rows = value as unknown[];
  if (rows.some((row) => !Array.isArray(row) || row.length !== columns))
    throw new BadReport(`${where}: a row does not have ${columns} values`);
}

export function check_several(report: Loose): SeveralData {
  require_fields(report, "", "string", ["version", "file", "solver", "solver_reason"]);
  require_fields(report, "", "number", ["samples", "features", "kept_features", "feature_total"]);
  require_fields(report, "", "object", ["options", "guessing", "joining", "sample_table", "feature_table", "citation"]);
  require_fields(report, "", "array", ["classes", "confusion", "per_class", "loo_error_interval", "warnings", "notes"]);
  const classes = (report["classes"] as unknown[]).length;
  const [samples, features] = [report["sample_table"] as Loose, report["feature_table"] as Loose];
  table_rows(samples, "sample_table", ["name", "label", "loo_probability", "reliable"]);
  const by_class = ["class_inclusion", "class_weight", "class_sd"];
  table_rows(features, "feature_table", ["name", "inclusion", "class", "expected_false", ...by_class]);
  for (const part of ["confusion", "per_class"])
    if ((report[part] as unknown[]).length !== classes) throw new BadReport(`${part}: not ${classes} rows`);
  check_rows(report["confusion"], "confusion", classes);
  check_rows(samples["loo_probability"], "sample_table.loo_probability", classes);
  for (const column of by_class) check_rows(features[column], `feature_table.${column}`, classes);
  return report as unknown as SeveralData;
}
