// What leave-one-out said of each sample, and how that compares with always guessing the larger class.
import { is_number } from "../parts/format";
import { sign_test, wilson } from "./intervals";
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

export interface AgainstGuessing {
  wrong: number;
  low: number; // 95 % interval of the error
  high: number;
  gained: number; // right where the guess is wrong
  lost: number; // wrong where the guess is right
  p_value: number; // sign test of gained against lost
}

export function larger_class(report: ReportData): string {
  const size = (name: string): number => report.classes[name] ?? 0;
  return size(report.negative) > size(report.positive) ? report.negative : report.positive;
}

export function against_guessing(report: ReportData, outcomes: Outcome[]): AgainstGuessing {
  const guess = larger_class(report);
  const wrong = outcomes.filter((o) => o.wrong);
  const lost = wrong.filter((o) => o.label === guess).length;
  const gained = outcomes.filter((o) => !o.wrong && o.label !== guess).length;
  const [low, high] = wilson(wrong.length, outcomes.length);
  return { wrong: wrong.length, low, high, gained, lost, p_value: sign_test(gained, lost) };
}
