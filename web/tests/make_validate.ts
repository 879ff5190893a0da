// Validations that look like real ones, for the tests and for looking at the page.
import type { ClassFigures, Decision, Figure, ValidateData, ValidatedSample } from "../src/validate/validate_data";
import { hostile, Stream } from "./random";

const figure = (value: number, se: number): Figure => ({ value, se, interval: [value - 1.96 * se, value + 1.96 * se] });

function decision(threshold: number): Decision {
  const sensitivity = 1 - threshold ** 2;
  return {
    threshold,
    sensitivity,
    sensitivity_interval: [Math.max(0, sensitivity - 0.1), Math.min(1, sensitivity + 0.1)],
    specificity: threshold,
    specificity_interval: [Math.max(0, threshold - 0.1), Math.min(1, threshold + 0.1)],
    positive_value: 0.4 + 0.5 * threshold,
    negative_value: threshold > 0.9 ? null : 0.95 - 0.3 * threshold,
    net_benefit: 0.35 * sensitivity - (0.65 * (1 - threshold) * threshold) / (1 - threshold),
    treat_all: 0.35 - (0.65 * threshold) / (1 - threshold),
  };
}

const steps = Array.from({ length: 19 }, (_, k) => 0.05 * (k + 1));

function class_figures(name: string): ClassFigures {
  const corners = Array.from({ length: 21 }, (_, k) => k / 20);
  return {
    name,
    sensitivity: 0.81,
    sensitivity_interval: [0.7, 0.89],
    specificity: 0.77,
    specificity_interval: [0.66, 0.85],
    auc: 0.86,
    auc_interval: [0.8, 0.92],
    calibration_in_the_large: figure(-0.62, 0.2),
    calibration_intercept: figure(-0.5, 0.2),
    calibration_slope: figure(0.74, 0.11),
    calibration_curve: [0.1, 0.3, 0.5, 0.7, 0.9].map((stated) => ({
      samples: 24,
      stated,
      came: 0.9 * stated,
      interval: [Math.max(0, 0.9 * stated - 0.15), Math.min(1, 0.9 * stated + 0.15)],
    })),
    roc: corners.map((x) => ({ threshold: x === 0 ? null : 1 - x, false_positive: x, true_positive: Math.sqrt(x) })),
    thresholds: [decision(0.2), decision(0.5)],
    decision_curve: steps.map(decision),
  };
}

export function make_validate(kind: "site" | "malicious"): ValidateData {
  const bad = kind === "malicious";
  const random = new Stream(5);
  const classes = bad ? [hostile[0]!, hostile[10]!, hostile[1]!] : ["n", "t"];
  const samples: ValidatedSample[] = Array.from({ length: 120 }, (_, i) => {
    const p = random.uniform();
    const rest = (1 - p) / (classes.length - 1);
    const probabilities = classes.map((_, k) => (k === classes.length - 1 ? p : rest));
    return {
      sample: bad ? hostile[i % hostile.length]! : `s${i + 1}`,
      label: classes[p > 0.5 ? classes.length - 1 : 0]!,
      truth: i % 30 === 0 ? null : classes[random.uniform() < p ? classes.length - 1 : 0]!,
      probabilities,
      outside: 0.5 + 0.2 * random.uniform(),
    };
  });
  const counts = classes.map((_, k) => (k === 0 ? 78 : 38));
  const came = { samples: 116, class_counts: counts, error: figure(0.21, 0.038), log_loss: figure(0.47, 0.04), brier: figure(0.15, 0.02) };
  return {
    kind: "validate",
    version: "0.1.0",
    command: bad ? hostile[0]! : "cavity validate colon.cavity other.csv --by site --report validation.html",
    model: bad ? hostile[1]! : "colon.cavity",
    file: bad ? hostile[1]! : "data/other.csv",
    subgroup: bad ? hostile[0]! : "site",
    classes,
    findings: [
      { name: "other-frequency", text: `${classes[1]} comes less often than stated: log odds -0.62 (-1.01 to -0.23)`, cure: "adapt brings the probabilities to this site's frequencies" },
      { name: "absent-features", text: "800 of the model's 2000 features have no column; those that are there explain 92.1 % of what decides", cure: "probabilities are less sure for it" },
    ],
    promised: bad ? null : { error: 0.129, error_interval: [0.066, 0.241], log_loss: 0.41, brier: 0.11, class_counts: [22, 40] },
    came,
    by: (bad ? hostile.slice(0, 3) : ["north", "south"]).map((name, i) => ({ name, ...came, samples: 50 + i })),
    questions: bad ? classes.map(class_figures) : [class_figures("t")],
    confusion: classes.map((_, i) => classes.map((_, k) => (i === k ? 30 : 5))),
    drift: {
      outside: 0.61,
      training_outside: 0.55,
      outside_limit: 0.7,
      outliers: bad ? hostile.slice(0, 6) : ["s7"],
      shift: 0.62,
      expected_shift: 0.18,
      worst_features: ["X377", "X493", "X1772", "X249", "X15"].map((name, i) => ({ name: bad ? hostile[i]! : name, deviations: 3.1 - 1.2 * i })),
      field_shift: -0.4,
      field_spread: 0.9,
    },
    measured: { features: 2000, absent: bad ? hostile : Array.from({ length: 800 }, (_, i) => `X${i}`), explained: 0.921, least_explained: 0.921, missing: 0, filled: 0, renamed: 0 },
    unlabelled: 4,
    samples,
    citation: { text: bad ? hostile[1]! : "S. Uda and Y. Kabashima (2005).", bibtex: bad ? hostile[0]! : "@article{}" },
  };
}
