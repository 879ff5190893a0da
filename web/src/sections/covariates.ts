// The covariates, which are answers as well: what they know alone, and their weights in each question.
import { el } from "../parts/dom";
import { number, percent } from "../parts/format";
import { question_words } from "../fit/questions";
import { plain_table } from "../parts/plain_table";
import type { CovariatesAlone, CovariateWeight, ReportData } from "../fit/report_data";
import { section } from "./section";

const covariate_name = (c: CovariateWeight): string =>
  c.category ? `${c.name}: ${c.category} against ${c.reference}` : `${c.name}, a unit`;

function alone_words(alone: CovariatesAlone, shown: boolean | null): string {
  const told = `The covariates alone have a leave-one-out error of ${percent(alone.loo_error)} and a log loss of ${number(alone.loo_log_loss, 3)}. `;
  if (shown === false) return `${told}It is not shown that the features take away any of it.`;
  return (
    `${told}The features take away ${percent(alone.error_gain)} \u00b1 ${percent(alone.error_gain_se)} of the error and ` +
    `${number(alone.log_loss_gain, 3)} \u00b1 ${number(alone.log_loss_gain_se, 2)} of the log loss.`
  );
}

export function covariates(report: ReportData): HTMLElement | null {
  const list = report.questions[0]?.covariates ?? [];
  if (list.length === 0) return null;
  const weight = (k: number, j: number): string => {
    const c = report.questions[k]!.covariates[j];
    return c ? `${number(c.weight, 3)} \u00b1 ${number(c.sd, 2)}` : "n/a";
  };
  return section(
    "covariates",
    "Do the features add anything to the covariates?",
    report.covariates_alone && el("p", {}, alone_words(report.covariates_alone, report.permutation.shown)),
    el("p", {}, "Weights and their standard deviations, on the scale of the features' weights."),
    plain_table(
      "covariates",
      ["covariate", ...report.questions.map((_, k) => question_words(report, k, 16))],
      list.map((c, j) => [covariate_name(c), ...report.questions.map((_, k) => weight(k, j))]),
    ),
  );
}
