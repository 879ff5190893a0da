// The comparison's tables as columns, for CSV.
import type { CsvColumn } from "../parts/csv";
import type { NamedTable } from "../fit/tables";
import type { CompareData } from "./compare_data";

function columns<Row extends object>(rows: Row[], names: (keyof Row & string)[]): CsvColumn[] {
  return names.map((name) => ({ name, values: rows.map((row) => row[name] as CsvColumn["values"][number]) }));
}

export function compare_tables(data: CompareData): NamedTable[] {
  return [
    {
      file: "splits.csv",
      title: "Every split",
      columns: Object.entries(data.splits).map(([name, values]) => ({ name, values })),
    },
    {
      file: "methods.csv",
      title: "Methods",
      columns: columns(data.methods, ["method", "error", "sd", "splits", "unsettled", "failed"]),
    },
    {
      file: "tests.csv",
      title: "Tests",
      columns: columns(data.tests, [
        "first",
        "second",
        "wins",
        "ties",
        "losses",
        "sign_test_p",
        "welch_t",
        "welch_degrees_of_freedom",
        "welch_p",
      ]),
    },
  ];
}
