// Weights of the covariates, a column a class.
import { el } from "../parts/dom";
import { number } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import { alone_words, covariate_name } from "../sections/quoted";
import { section } from "../sections/section";
import type { SeveralData } from "./several_data";

export function class_covariates(report: SeveralData): HTMLElement | null {
  const list = report.per_class[0]?.covariates ?? [];
  if (list.length === 0) return null;
  const weight = (k: number, j: number): string => {
    const c = report.per_class[k]?.covariates?.[j];
    return c ? `${number(c.weight, 3)} \u00b1 ${number(c.sd, 2)}` : "n/a";
  };
  return section(
    "covariates",
    "Do the features add anything to the covariates?",
    alone_words(report.covariates_alone),
    el("p", {}, "Weight and its standard deviation for each class against the rest."),
    plain_table(
      "covariates",
      ["covariate", ...report.classes.map((c) => c.name)],
      list.map((c, j) => [covariate_name(c), ...report.classes.map((_, k) => weight(k, j))]),
    ),
  );
}
