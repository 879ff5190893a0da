// Can the probabilities be ranked (ROC), and can they be believed (calibration)? Both from left-out samples.
import * as Plot from "@observablehq/plot";
import { calibration_bins, type CalibrationBin } from "../statistics/calibration";
import { calibration_chart, square } from "../charts/calibration_chart";
import { chart, plot } from "../charts/chart";
import { el } from "../parts/dom";
import { is_number, number, percent, probability, class_words } from "../parts/format";
import { sample_weight, type Outcome } from "../statistics/outcomes";
import type { ReportData } from "../fit/report_data";
import type { Roc, RocPoint } from "../statistics/roc";
import { section } from "./section";

const unit = [0, 1];

function auc_words(curve: Roc): string {
  return `AUC ${number(curve.auc, 3)}` + (is_number(curve.se) ? ` \u00b1 ${number(curve.se, 2)}` : "");
}

function draw_roc(curve: Roc, width: number): SVGSVGElement {
  const text = (p: RocPoint): string =>
    `from probability ${is_number(p.threshold) ? probability(p.threshold) : "above all"}\ntrue positives ${percent(p.true_positive)}\nfalse positives ${percent(p.false_positive)}`;
  return plot({
    ...square(width),
    x: { domain: unit, label: "false positive rate", ticks: 5, labelArrow: "none", labelAnchor: "center", grid: true },
    y: { domain: unit, label: "true positive rate", ticks: 5, labelArrow: "none", grid: true },
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "4 3" },
      ),
      Plot.line(curve.points, { x: "false_positive", y: "true_positive", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.text([auc_words(curve)], {
        x: 0.97,
        y: 0.06,
        textAnchor: "end",
        fontSize: 13,
        fontWeight: 600,
        fill: "currentColor",
      }),
      Plot.tip(curve.points, Plot.pointer({ x: "false_positive", y: "true_positive", title: text })),
    ],
  });
}

function roc_figure(report: ReportData, curve: Roc): HTMLElement {
  return chart({
    title: `ROC curve: ${auc_words(curve)}`,
    label: `ROC curve of the leave-one-out probabilities; ${auc_words(curve)}.`,
    draw: (width) => draw_roc(curve, width),
    caption: `AUC: the chance that a random ${class_words(report.positive)} gets a higher probability than a random ${class_words(report.negative)}; \u00b1 is DeLong's standard error.`,
    table: () => ({
      label: "Points of the ROC curve",
      columns: [
        {
          title: "threshold",
          values: curve.points.map((p) => (is_number(p.threshold) ? p.threshold : null)),
          format: (v: number | null) => (v === null ? "above all" : probability(v)),
        },
        { title: "true positives", values: curve.points.map((p) => p.true_positive), format: percent },
        { title: "false positives", values: curve.points.map((p) => p.false_positive), format: percent },
      ],
    }),
  }).element;
}

type Scores = Pick<ReportData, "brier" | "guessing" | "loo_log_loss">;

/** "Brier score 0.11, class frequency alone 0.23 (52.1 % explained); log loss 0.4, class frequency alone 0.65." */
export function score_words(report: Scores): string {
  const { brier, guessing } = report;
  if (!guessing) return "";
  const gain = is_number(brier) && is_number(guessing.brier) && guessing.brier > 0 ? 1 - brier / guessing.brier : null;
  return (
    ` Brier score ${number(brier ?? null, 3)}, class frequency alone ${number(guessing.brier, 3)}${gain === null ? "" : ` (${percent(gain)} explained)`}; ` +
    `log loss ${number(report.loo_log_loss, 3)}, class frequency alone ${number(guessing.log_loss, 3)}.`
  );
}

/** What every calibration chart says of its bins, and the scores of the probabilities. */
export function bin_words(report: Scores & { prior?: number[] }): string {
  const weighed = report.prior ? " Samples weigh as in the population that was named." : "";
  return (
    " Bars are 95 % intervals (Wilson); bins hold about equal numbers of samples, and equal probabilities share one." +
    weighed +
    score_words(report)
  );
}

function calibration_figure(report: ReportData, bins: CalibrationBin[]): HTMLElement {
  const positive = class_words(report.positive, 16);
  return calibration_chart(bins, {
    label: `Calibration plot of the leave-one-out probabilities in ${bins.length} bins.${score_words(report)}`,
    caption: `On the dashed line, samples predicted at 80 % are ${positive} 80 % of the time.${bin_words(report)}`,
    predicted: "predicted probability",
    observed: `observed fraction of ${positive}`,
    hits: positive,
  });
}

export function accuracy(report: ReportData, outcomes: Outcome[], curve: Roc | null): HTMLElement {
  const bins = calibration_bins(
    outcomes.map((o) => o.probability),
    outcomes.map((o) => o.positive),
    outcomes.map((o) => sample_weight(report, o.positive)),
  );
  const figures = [curve && roc_figure(report, curve), bins.length > 0 ? calibration_figure(report, bins) : null].filter(
    (figure) => figure !== null,
  );
  const body = figures.length
    ? el("div", { class: "pair" }, ...figures)
    : el("p", {}, "No leave-one-out probabilities.");
  if (figures.length === 0) return section("accuracy", "Ranking and calibration", body);
  return section(
    "accuracy",
    "Ranking and calibration",
    el(
      "p",
      {},
      "Both charts use leave-one-out probabilities: no sample judged here was seen by the model that judged it.",
    ),
    body,
  );
}
