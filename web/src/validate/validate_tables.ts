// The validation's tables as columns, for CSV: names as in `cavity validate --json`.
import type { NamedTable } from "../fit/tables";
import type { CsvColumn } from "../parts/csv";
import type { Figure, ValidateData } from "./validate_data";

function figure_columns<Row>(rows: Row[], name: string, of: (row: Row) => Figure): CsvColumn[] {
  return [
    { name, values: rows.map((row) => of(row).value) },
    { name: `${name}_se`, values: rows.map((row) => of(row).se) },
    { name: `${name}_low`, values: rows.map((row) => of(row).interval?.[0] ?? null) },
    { name: `${name}_high`, values: rows.map((row) => of(row).interval?.[1] ?? null) },
  ];
}

export function validate_tables(data: ValidateData): NamedTable[] {
  const sites = [{ name: "all", ...data.came }, ...data.by];
  const decided = data.questions.flatMap((q) => q.decision_curve.map((row) => ({ class: q.name, ...row })));
  const numbers = ["threshold", "sensitivity", "specificity", "positive_value", "negative_value", "net_benefit", "treat_all"] as const;
  return [
    {
      file: "samples.csv",
      title: "Samples",
      columns: [
        { name: "sample", values: data.samples.map((s) => s.sample) },
        { name: "truth", values: data.samples.map((s) => s.truth) },
        { name: "label", values: data.samples.map((s) => s.label) },
        ...data.classes.map((name, k) => ({ name: `p_${name}`, values: data.samples.map((s) => s.probabilities[k] ?? null) })),
        { name: "outside", values: data.samples.map((s) => s.outside) },
      ],
    },
    {
      file: "figures.csv",
      title: "Figures, all and by subgroup",
      columns: [
        { name: "subgroup", values: sites.map((s) => s.name) },
        { name: "samples", values: sites.map((s) => s.samples) },
        ...figure_columns(sites, "error", (s) => s.error),
        ...figure_columns(sites, "log_loss", (s) => s.log_loss),
        ...figure_columns(sites, "brier", (s) => s.brier),
      ],
    },
    {
      file: "decisions.csv",
      title: "Decision curve",
      columns: [
        { name: "class", values: decided.map((row) => row.class) },
        ...numbers.map((name) => ({ name, values: decided.map((row) => row[name]) })),
      ],
    },
  ];
}
