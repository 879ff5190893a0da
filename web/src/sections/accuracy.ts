// Can the probabilities be ranked (ROC), and can they be believed (calibration)? Both from left-out samples.
import { calibration_chart } from "../charts/calibration_chart";
import type { Chart } from "../charts/chart";
import { roc_chart } from "../charts/roc_chart";
import { el } from "../parts/dom";
import { class_words, is_number, number, percent } from "../parts/format";
import { asked, others, question_switch, question_words } from "../fit/questions";
import type { Question, ReportData } from "../fit/report_data";
import { section } from "./section";

function auc_words({ auc, auc_interval }: Question): string {
  const range = auc_interval ? ` (${number(auc_interval[0], 3)} to ${number(auc_interval[1], 3)})` : "";
  return `AUC ${number(auc, 3)}${range}`;
}

function class_roc(report: ReportData, shown: () => number): Chart {
  return roc_chart(
    () => report.drawn.questions[shown()]!.roc,
    () => {
      const auc = auc_words(report.questions[shown()]!);
      return {
        title: `ROC curve: ${question_words(report, shown(), 16)}`,
        label: `ROC curve of the leave-one-out probabilities, ${question_words(report, shown())}; ${auc}.`,
        caption: `AUC: the chance that a random sample of the class gets a higher probability than a random one of ${report.questions.length > 1 ? "the rest" : class_words(others(report, 0))}, with its 95 % interval.`,
        auc,
        table: `Points of the ROC curve, ${question_words(report, shown())}`,
      };
    },
  );
}

/** "Brier score 0.11, class frequencies alone 0.23 (52.1 % explained); log loss 0.4, class frequencies alone 0.65." */
function score_words({ brier, guessing, loo_log_loss }: ReportData): string {
  if (!guessing) return "";
  const gain = is_number(brier) && is_number(guessing.brier) && guessing.brier > 0 ? 1 - brier / guessing.brier : null;
  const explained = gain === null ? "" : ` (${percent(gain)} explained)`;
  return (
    ` Brier score ${number(brier, 3)}, class frequencies alone ${number(guessing.brier, 3)}${explained}; ` +
    `log loss ${number(loo_log_loss, 3)}, class frequencies alone ${number(guessing.log_loss, 3)}.`
  );
}

function class_calibration(report: ReportData, shown: () => number): Chart {
  return calibration_chart(
    () => report.drawn.questions[shown()]!.calibration,
    () => {
      const name = class_words(asked(report, shown()), 16);
      return {
        title: `Calibration of ${name}`,
        label: `Calibration plot of the leave-one-out probability of ${name}.`,
        caption: "On the dashed line, samples predicted at 80 % are of the class 80 % of the time.",
        predicted: `predicted probability of ${name}`,
        observed: `observed fraction of ${name}`,
        hits: name,
      };
    },
  );
}

function called_calibration(report: ReportData): Chart {
  return calibration_chart(
    () => report.drawn.called,
    () => ({
      title: "Calibration of what is called",
      label: `Calibration plot of the leave-one-out probability of the called class.${score_words(report)}`,
      caption: "On the dashed line, samples that are called with 80 % are called rightly 80 % of the time.",
      predicted: "probability of the called class",
      observed: "observed fraction that is right",
      hits: "right",
    }),
  );
}

export function accuracy(report: ReportData): HTMLElement {
  const title = "Ranking and calibration";
  if (report.drawn.called.samples.length === 0)
    return section("accuracy", title, el("p", {}, "No leave-one-out probabilities."));
  let shown = 0;
  const of_class = [class_roc(report, () => shown), class_calibration(report, () => shown)];
  const choice = question_switch(report, (k) => {
    shown = k;
    for (const figure of of_class) figure.refresh();
  });
  const weighed = report.class_prior ? " Samples weigh as in the population that was named." : "";
  return section(
    "accuracy",
    title,
    el(
      "p",
      {},
      "All charts use leave-one-out probabilities: no sample judged here was seen by the model that judged it." +
        score_words(report),
    ),
    choice.element,
    el("div", { class: "trio" }, ...[...of_class, called_calibration(report)].map((figure) => figure.element)),
    el(
      "p",
      { class: "remark" },
      "Bars are 95 % intervals (Wilson); bins hold about equal numbers of samples, and equal probabilities share one." + weighed,
    ),
  );
}
