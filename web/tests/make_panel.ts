// Panels that look like real ones, for the tests and for looking at the page.
import type { PanelData, PanelMember, PanelPrice, PanelSize } from "../src/panel/panel_data";
import { make_fixture } from "./make_fixture";
import { hostile, range, Stream } from "./random";

type Shape = "colon" | "tumours" | "malicious" | "nothing";

function price(error: number, log_loss: number, two: boolean): PanelPrice {
  const of_two = (value: number): number | null => (two ? value : null);
  const around = (value: number, low: number, high: number): [number, number] | null => (two ? [value + low, Math.min(1, value + high)] : null);
  return {
    error,
    error_se: 0.045,
    error_interval: [Math.max(0, error - 0.08), error + 0.11],
    log_loss,
    log_loss_se: 0.07,
    balanced_accuracy: 1 - error,
    auc: of_two(1 - error / 2),
    auc_interval: around(1 - error / 2, -0.1, 0.05),
    sensitivity: of_two(1 - error),
    sensitivity_interval: around(1 - error, -0.1, 0.08),
    specificity: of_two(1 - error),
    specificity_interval: around(1 - error, -0.12, 0.09),
  };
}

export function make_panel(shape: Shape): PanelData {
  const random = new Stream(7);
  const two = shape !== "tumours";
  const classes = two
    ? [{ name: shape === "malicious" ? hostile[0]! : "n", count: 22 }, { name: shape === "malicious" ? hostile[1]! : "t", count: 40 }]
    : ["BL", "EWS", "NB", "RMS"].map((name, k) => ({ name, count: 8 + 5 * k }));
  const sample_class = classes.flatMap((c, k) => range(c.count).map(() => k));
  const name = (l: number): string => (shape === "malicious" ? hostile[l % hostile.length]! : `X${100 + 37 * l}`);
  const sizes = range(20).map((s): PanelSize => {
    const falls = Math.exp(-s / 2);
    return {
      size: s + 1,
      adds: name(s),
      cost: s + 1,
      ...price(0.13 + 0.2 * falls, 0.4 + 0.25 * falls, two),
      error_more: 0.2 * falls,
      error_more_se: 0.03,
      log_loss_more: 0.25 * falls - 0.01,
      log_loss_more_se: 0.03,
    };
  });
  const members = range(5).map((l): PanelMember => ({
    name: name(l),
    weights: range(two ? 1 : 4).map(() => random.normal()),
    share: 1 - 0.17 * l,
    stand_ins: range(l % 4).map((o) => ({ name: name(20 + l + o), loss: 0.004 * o - 0.001, share: 0.1 * o })),
    credible_set: l === 1 ? [name(1), name(9)] : [],
    values: sample_class.map((k) => (shape === "colon" && random.uniform() < 0.02 ? null : random.normal() + (l % 2 ? k : -k))),
  }));
  const fit = make_fixture(shape === "nothing" ? "colon" : shape);
  return {
    kind: "panel",
    version: "0.1.0",
    command: "cavity panel colon.csv.gz --report page.html",
    file: shape === "malicious" ? hostile[0]! : "data/colon.csv.gz",
    samples: sample_class.length,
    features: 2000,
    classes,
    transform: shape === "tumours" ? "none" : "log1p",
    normalise: shape === "colon" ? ["ACTB", "GAPDH"] : [],
    folds: 10,
    repeats: shape === "colon" ? 3 : 1,
    sizes,
    whole: price(0.13, 0.38, two),
    suggested: shape === "nothing" ? null : 5,
    size: 5,
    margin: 0.02,
    members,
    permutation: { p: shape === "nothing" ? 0.4 : 0.001, shown: shape !== "nothing" },
    sample_class,
    citation: fit.citation,
    fit: shape === "nothing" ? null : fit,
  };
}
