// What leave-one-out says of each sample.
import { is_number } from "../parts/format";
import type { ReportData } from "../fit/report_data";

export interface Call {
  index: number; // row of the sample table
  name: string;
  truth: number; // class, by its place in the list
  called: number;
  probability: number; // of the called class
  of_truth: number; // probability of the true class
  all: number[]; // probability of each class
  reliable: boolean;
  wrong: boolean;
}

/** Samples with leave-one-out probabilities, by true class, the surest of it first. */
export function grouped_calls(report: ReportData): Call[] {
  const table = report.sample_table;
  const places = new Map(report.classes.map((c, k) => [c.name, k]));
  const calls = table.loo_probability.flatMap((row, index): Call[] => {
    const truth = places.get(String(table.label[index]));
    const called = places.get(String(table.called[index]));
    if (truth === undefined || called === undefined || !row.every(is_number)) return [];
    return [
      {
        index,
        name: String(table.name[index]),
        truth,
        called,
        probability: row[called]!,
        of_truth: row[truth]!,
        all: row,
        reliable: table.reliable[index] !== false,
        wrong: called !== truth,
      },
    ];
  });
  return calls.sort((a, b) => a.truth - b.truth || b.of_truth - a.of_truth || a.index - b.index);
}
