// What leave-one-out calls each sample of more than two classes.
import { is_number } from "../parts/format";
import type { SeveralData } from "../several/several_data";

export interface Call {
  index: number; // row of the sample table
  name: string;
  truth: number; // class, by its place in the list
  called: number; // the most probable class
  probability: number; // of the called class
  of_truth: number; // probability of the true class
  all: number[]; // probability of each class
  reliable: boolean;
  wrong: boolean;
}

/** Samples with leave-one-out probabilities, by true class, the surest of it first. */
export function grouped_calls(report: SeveralData): Call[] {
  const table = report.sample_table;
  const places = new Map(report.classes.map((c, k) => [c.name, k]));
  const calls: Call[] = [];
  table.loo_probability.forEach((row, index) => {
    const truth = places.get(String(table.label[index]));
    if (truth === undefined || !row.every(is_number)) return;
    const called = row.indexOf(Math.max(...row));
    calls.push({
      index,
      name: String(table.name[index]),
      truth,
      called,
      probability: row[called]!,
      of_truth: row[truth]!,
      all: row,
      reliable: table.reliable[index] !== false,
      wrong: called !== truth,
    });
  });
  return calls.sort((a, b) => a.truth - b.truth || b.of_truth - a.of_truth || a.index - b.index);
}

/** What a sample counts: 1, or as much as brings the classes to their shares in the population. */
export function call_weight(report: SeveralData, truth: number): number {
  const size = report.classes[truth]?.count ?? 0;
  return report.prior && size ? (report.prior[truth]! * report.samples) / size : 1;
}
