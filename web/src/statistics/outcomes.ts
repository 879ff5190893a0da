// What leave-one-out said of each sample, and the class that would be guessed without it.
import { is_number } from "../parts/format";
import type { ReportData } from "../fit/report_data";

export interface Outcome {
  index: number; // row of the sample table
  name: string;
  label: string;
  positive: boolean;
  probability: number; // of the positive class
  reliable: boolean;
  wrong: boolean; // called positive from 1/2 on
}

/** Samples with a leave-one-out probability, least positive first. */
export function sorted_outcomes(report: ReportData): Outcome[] {
  const table = report.sample_table;
  const outcomes: Outcome[] = [];
  table.loo_probability.forEach((probability, index) => {
    if (!is_number(probability)) return;
    const positive = table.label[index] === report.positive;
    outcomes.push({
      index,
      name: String(table.name[index]),
      label: String(table.label[index]),
      positive,
      probability,
      reliable: table.reliable[index] !== false,
      wrong: probability >= 0.5 !== positive,
    });
  });
  return outcomes.sort((a, b) => a.probability - b.probability || a.index - b.index);
}

/** The commoner class: of the population that the figures are for, else of the samples. */
export function guessed_class(report: ReportData): string {
  if (report.guessing) return report.guessing.class;
  const size = (name: string): number => report.classes[name] ?? 0;
  return size(report.negative) > size(report.positive) ? report.negative : report.positive;
}

/** What a sample counts: 1, or as much as brings the classes to their shares in the population. */
export function sample_weight(report: ReportData, positive: boolean): number {
  if (!report.prior) return 1;
  const size = report.classes[positive ? report.positive : report.negative] ?? 0;
  return size ? (report.prior[positive ? 1 : 0] * report.samples) / size : 1;
}
