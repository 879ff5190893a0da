// A fit as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, table_rows, type Loose } from "../parts/checks";
import type { ReportData } from "./report_data";

function check_length(value: unknown, where: string, length: number, what: string): unknown[] {
  if (!Array.isArray(value) || value.length !== length)
    throw new BadReport(`${where}: ${Array.isArray(value) ? value.length : "no"} rows for ${length} ${what}`);
  return value;
}

function check_rows(value: unknown, where: string, columns: number): void {
  if ((value as unknown[]).some((row) => !Array.isArray(row) || row.length !== columns))
    throw new BadReport(`${where}: a row does not have ${columns} values`);
}

function check_questions(report: Loose): void {
  for (const [k, question] of (report["questions"] as Loose[]).entries()) {
    const where = `questions.${k}.`;
    require_fields(question, where, "string", ["class", "solver", "solver_reason"]);
    require_fields(question, where, "number", ["chosen"]);
    require_fields(question, where, "array", ["grid", "covariates"]);
  }
}

function check_samples(table: Loose, classes: number): number {
  const samples = table_rows(table, "sample_table", ["name", "label"]);
  require_fields(table, "sample_table.", "array", ["called", "loo_probability", "reliable"]);
  const known = (table["called"] as unknown[]).length > 0; // of all samples or of none
  for (const column of ["called", "loo_probability", "reliable"])
    if (known) check_length(table[column], `sample_table.${column}`, samples, "samples");
  check_rows(table["loo_probability"], "sample_table.loo_probability", classes);
  return samples;
}

function check_features(table: Loose, questions: number): void {
  const by_question = ["class_inclusion", "class_weight", "class_sd", "class_difference", "class_t", "class_q"];
  table_rows(table, "feature_table", ["name", "inclusion", "class", "group", "expected_false", ...by_question]);
  for (const column of by_question) check_rows(table[column], `feature_table.${column}`, questions);
}

function check_contributions(all: unknown[], samples: number): void {
  for (const [k, contributions] of (all as (Loose | null)[]).entries()) {
    if (contributions === null) continue;
    const where = `contributions.${k}`;
    require_fields(contributions, `${where}.`, "array", ["features", "values", "rest"]);
    check_length(contributions["values"], where, samples, "samples");
    check_length(contributions["rest"], `${where}.rest`, samples, "samples");
    check_rows(contributions["values"], where, (contributions["features"] as unknown[]).length);
    const bent = contributions["bent"] as Loose | null | undefined;
    if (!bent) continue;
    require_fields(bent, `${where}.bent.`, "array", ["features", "probability", "without"]);
    check_length(bent["probability"], `${where}.bent.probability`, samples, "samples");
    check_length(bent["without"], `${where}.bent.without`, samples, "samples");
    check_rows(bent["without"], `${where}.bent.without`, (bent["features"] as unknown[]).length);
  }
}

const bin_columns = ["samples", "hits", "predicted", "observed", "low", "high"];

function check_drawn(drawn: Loose, questions: number): void {
  require_fields(drawn, "drawn.", "object", ["called"]);
  table_rows(drawn["called"] as Loose, "drawn.called", bin_columns);
  for (const [k, one] of (check_length(drawn["questions"], "drawn.questions", questions, "questions") as Loose[]).entries()) {
    require_fields(one, `drawn.questions.${k}.`, "object", ["calibration", "roc"]);
    table_rows(one["calibration"] as Loose, `drawn.questions.${k}.calibration`, bin_columns);
    table_rows(one["roc"] as Loose, `drawn.questions.${k}.roc`, ["threshold", "false_positive", "true_positive"]);
  }
}

function check_forecast(forecast: Loose): void {
  require_fields(forecast, "forecast.", "array", ["points"]);
  for (const [i, point] of (forecast["points"] as Loose[]).entries()) {
    require_fields(point, `forecast.points.${i}.`, "number", ["samples"]);
    check_length(point["interval"], `forecast.points.${i}.interval`, 2, "ends");
  }
}

export function check_report(value: unknown): ReportData {
  const report = require_object(value);
  require_fields(report, "", "string", ["version", "file", "solver", "solver_reason"]);
  require_fields(report, "", "number", ["samples", "features", "kept_features", "feature_total", "sample_groups"]);
  require_fields(report, "", "object", ["options", "permutation", "calibration", "drawn", "citation"]);
  require_fields(report, "", "object", ["sample_table", "feature_table"]);
  require_fields(report, "", "array", ["classes", "questions", "contributions", "credible_sets", "warnings", "notes"]);
  const classes = (report["classes"] as unknown[]).length;
  const questions = classes === 2 ? 1 : classes;
  check_length(report["questions"], "questions", questions, "questions");
  check_questions(report);
  if (report["confusion"] !== null)
    check_rows(check_length(report["confusion"], "confusion", classes, "classes"), "confusion", classes);
  const samples = check_samples(report["sample_table"] as Loose, classes);
  check_features(report["feature_table"] as Loose, questions);
  check_contributions(check_length(report["contributions"], "contributions", questions, "questions"), samples);
  check_drawn(report["drawn"] as Loose, questions);
  if (report["forecast"]) check_forecast(require_object(report["forecast"]));
  return report as unknown as ReportData;
}
