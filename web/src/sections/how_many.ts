// How many features matter? Hypotheses of their number, none among them, before and after the labels are seen.
import { el } from "../parts/dom";
import { number, probability } from "../parts/format";
import { question_words } from "../fit/questions";
import { plain_table } from "../parts/plain_table";
import type { Hypothesis, ReportData } from "../fit/report_data";

interface Asked {
  k: number;
  hypotheses: Hypothesis[];
}

function range({ k }: Asked, report: ReportData): string {
  const interval = report.questions[k]!.expected_relevant_interval;
  return interval ? `${number(interval[0], 3)} to ${number(interval[1], 3)}` : "";
}

export function how_many(report: ReportData): HTMLElement | null {
  const known = report.questions.flatMap(({ hypotheses }, k): Asked[] => (hypotheses?.length ? [{ k, hypotheses }] : []));
  if (known.length === 0) return null;
  const kept = [...new Set(known.flatMap(({ hypotheses }) => hypotheses.map((h) => h.kept)))].sort((a, b) => a - b);
  const cell = (hypotheses: Hypothesis[], wanted: number): string => {
    const found = hypotheses.find((h) => h.kept === wanted);
    return found ? `${probability(found.posterior)} (${probability(found.prior)})` : "";
  };
  return el(
    "div",
    { class: "how-many" },
    el("h3", {}, "How many features matter?"),
    el(
      "p",
      {},
      "Inclusion is an average over how many features matter. The probability of each number after the labels are seen " +
        "stands beside that before, in brackets; the last line is what holds 95\u00a0% of the former.",
    ),
    plain_table(
      "how many features matter",
      ["features that matter", ...known.map(({ k }) => question_words(report, k, 16))],
      [
        ...kept.map((n) => [n === 0 ? "none" : number(n, 3), ...known.map(({ hypotheses }) => cell(hypotheses, n))]),
        ["with 95 %", ...known.map((one) => range(one, report))],
      ],
    ),
  );
}
