// The numbers people quote, with their intervals, and the covariates, which are answers as well.
import { el } from "../parts/dom";
import { class_words, count, is_number, number, percent } from "../parts/format";
import { left_out } from "../fit/headline";
import { plain_table } from "../parts/plain_table";
import type { CovariatesAlone, CovariateWeight, Num, ReportData } from "../fit/report_data";
import { section } from "./section";

function range(interval: [Num, Num] | undefined, format: (value: Num) => string): string {
  return interval ? `${format(interval[0])} to ${format(interval[1])}` : "";
}

function number_rows(report: ReportData): string[][] {
  const three = (value: Num): string => number(value, 3);
  const positive = class_words(report.positive, 16);
  const negative = class_words(report.negative, 16);
  const row = (name: string, value: Num | undefined, format: (v: Num) => string, interval?: [Num, Num]): string[][] =>
    value === undefined ? [] : [[name, format(value), range(interval, format)]];
  return [
    ...row("error", report.loo_error, percent, report.loo_error_interval),
    ...row(`sensitivity: ${positive} called so`, report.sensitivity, percent, report.sensitivity_interval),
    ...row(`specificity: ${negative} called so`, report.specificity, percent, report.specificity_interval),
    ...row("balanced accuracy", report.balanced_accuracy, percent),
    ...row("area under the ROC", report.auc, three, report.auc_interval),
    ...row("Brier score", report.brier, three),
    ...row("log loss", report.loo_log_loss, three),
  ];
}

export function quoted(report: ReportData): HTMLElement | null {
  const c = report.confusion;
  if (!c) return null;
  const [positive, negative] = [class_words(report.positive, 24), class_words(report.negative, 24)];
  const prior = report.prior
    ? ` Error, Brier score and log loss are those of a population with ${percent(report.prior[1])} ${positive}.`
    : "";
  const groups = report.sample_groups
    ? ` Each of the ${count(report.sample_groups)} groups of samples is left out as a whole, and the intervals are those between groups.`
    : "";
  return section(
    "numbers",
    "Numbers to quote",
    el("p", {}, `All by ${left_out(report)}, with 95 % intervals; ${positive} is called from a probability of 1/2 on.${groups}${prior}`),
    plain_table("numbers to quote", [`by ${left_out(report)}`, "value", "95 % interval"], number_rows(report)),
    plain_table(
      "confusion",
      ["true class", `called ${positive}`, `called ${negative}`],
      [
        [positive, count(c.true_positive), count(c.false_negative)],
        [negative, count(c.false_positive), count(c.true_negative)],
      ],
    ),
  );
}

export const covariate_name = (c: CovariateWeight): string =>
  c.category ? `${c.name}: ${c.category} against ${c.reference}` : `${c.name}, a unit`;

export function alone_words(alone: CovariatesAlone | undefined): HTMLElement | null {
  if (!alone) return null;
  return el(
    "p",
    {},
    `The covariates alone have a leave-one-out error of ${percent(alone.loo_error)} and a log loss of ${number(alone.loo_log_loss, 3)}. ` +
      `The features take away ${percent(alone.error_gain)} \u00b1 ${percent(alone.error_gain_se)} of the error and ` +
      `${number(alone.log_loss_gain, 3)} \u00b1 ${number(alone.log_loss_gain_se, 2)} of the log loss.`,
  );
}

export function covariates(report: ReportData): HTMLElement | null {
  const list = report.covariates ?? [];
  if (list.length === 0) return null;
  return section(
    "covariates",
    "Do the features add anything to the covariates?",
    alone_words(report.covariates_alone),
    plain_table(
      "covariates",
      ["covariate", "weight", "sd"],
      list.map((c) => [covariate_name(c), is_number(c.weight) ? number(c.weight, 3) : "n/a", number(c.sd, 3)]),
    ),
  );
}
