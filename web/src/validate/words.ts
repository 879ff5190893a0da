// What came beside what was promised, in words.
import type { Interval, Num } from "../fit/report_data";
import { class_words, is_number, number, percent, plural } from "../parts/format";
import type { Figure, ValidateData } from "./validate_data";

export const percent_range = (interval: Interval | null): string =>
  interval ? `${percent(interval[0])} to ${percent(interval[1])}` : "n/a";

export const signed = (value: Num): string => (is_number(value) && value > 0 ? "+" : "") + number(value, 3);

export const figure_words = ({ value, interval }: Figure): string =>
  `${signed(value)} (${interval ? `${signed(interval[0])} to ${signed(interval[1])}` : "n/a"})`;

export function validate_verdict({ findings }: ValidateData): { standing: "better" | "worse"; text: string } {
  if (findings.length === 0) return { standing: "better", text: "Nothing that was looked at speaks against the promise" };
  const worse = findings.some((finding) => finding.name === "worse-than-promised");
  const text = worse ? "The promise does not hold here" : "The promise holds, but this cohort differs";
  return { standing: "worse", text };
}

/** "Error 20.1 % (15.0 to 26.0 %) on 200 samples; the fit promised 12.9 % (6.6 to 24.1 %)." */
export function validate_headline({ came, promised }: ValidateData): string {
  const here = `Error ${percent(came.error.value)} (95 % ${percent_range(came.error.interval)}) on ${plural(came.samples, "sample")} with a label`;
  if (!promised) return `${here}; what the fit promised is not known.`;
  return `${here}; the fit promised ${percent(promised.error)} (${percent_range(promised.error_interval)}).`;
}

export const against = (data: ValidateData, k: number): string => {
  const name = data.questions[k]!.name;
  const other = data.classes.length === 2 ? class_words(data.classes.find((c) => c !== name) ?? "the rest") : "the rest";
  return `${class_words(name)} against ${other}`;
};
