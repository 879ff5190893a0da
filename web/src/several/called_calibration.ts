// Can the probabilities be believed? That of the class that is called, against how often the call is right.
import { calibration_chart } from "../charts/calibration_chart";
import { el } from "../parts/dom";
import { bin_words, score_words } from "../sections/accuracy";
import { section } from "../sections/section";
import { calibration_bins } from "../statistics/calibration";
import { call_weight, type Call } from "../statistics/calls";
import type { SeveralData } from "./several_data";

export function called_calibration(report: SeveralData, calls: Call[]): HTMLElement | null {
  if (calls.length === 0) return null;
  const bins = calibration_bins(
    calls.map((c) => c.probability),
    calls.map((c) => !c.wrong),
    calls.map((c) => call_weight(report, c.truth)),
  );
  return section(
    "accuracy",
    "Calibration",
    el("p", {}, "Over all classes, by leave-one-out: no sample judged here was seen by the model that judged it."),
    calibration_chart(bins, {
      label: `Calibration plot of the leave-one-out probability of the called class in ${bins.length} bins.${score_words(report)}`,
      caption: `On the dashed line, samples that are called with 80 % are called rightly 80 % of the time.${bin_words(report)}`,
      predicted: "probability of the called class",
      observed: "observed fraction that is right",
      hits: "right",
    }),
  );
}
