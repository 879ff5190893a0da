// The contract between `cavity validate --report` and the page: the values of `cavity validate --json`
// (docs/cavity.schema.json) and what was asked for. A number that is missing, NaN or infinite is null.
import type { Citation, Interval, Num, Warning } from "../fit/report_data";

/** A mean over samples. */
export interface Figure {
  value: Num;
  se: Num;
  interval: Interval | null;
}

export interface SiteFigures {
  samples: number;
  class_counts: number[];
  error: Figure;
  log_loss: Figure;
  brier: Figure;
}

export interface Subgroup extends SiteFigures {
  name: string;
}

/** What the fit said of its own samples left out. */
export interface Promised {
  error: Num;
  error_interval: Interval | null;
  log_loss: Num;
  brier: Num;
  class_counts: number[];
}

export interface Decision {
  threshold: number;
  sensitivity: Num;
  sensitivity_interval: Interval | null;
  specificity: Num;
  specificity_interval: Interval | null;
  positive_value: Num;
  negative_value: Num;
  net_benefit: Num;
  treat_all: Num;
}

/** A class against the others; of two classes the positive one alone. */
export interface ClassFigures {
  name: string;
  sensitivity: Num;
  sensitivity_interval: Interval | null;
  specificity: Num;
  specificity_interval: Interval | null;
  auc: Num;
  auc_interval: Interval | null;
  calibration_in_the_large: Figure;
  calibration_intercept: Figure;
  calibration_slope: Figure;
  calibration_curve: { samples: number; stated: number; came: number; interval: Interval }[];
  roc: { threshold: Num; false_positive: number; true_positive: number }[];
  thresholds: Decision[];
  decision_curve: Decision[];
}

/** Whether the samples look like those of the fit. */
export interface Drift {
  outside: number;
  training_outside: number;
  outside_limit: number;
  outliers: string[];
  shift: number;
  expected_shift: number;
  worst_features: { name: string; deviations: Num }[];
  field_shift: Num;
  field_spread: Num;
}

export interface Measured {
  features: number;
  absent: string[];
  explained: number;
  least_explained: number;
  missing: number;
  filled: number;
  renamed: number;
}

export interface ValidatedSample {
  sample: string;
  label: string;
  truth: string | null;
  probabilities: Num[];
  outside: Num;
}

export interface ValidateData {
  kind: "validate";
  version: string;
  command: string;
  model: string;
  file: string;
  subgroup: string; // what the subgroups are by; empty: there are none
  classes: string[];
  findings: Warning[];
  promised: Promised | null;
  came: SiteFigures;
  by: Subgroup[];
  questions: ClassFigures[];
  confusion: number[][];
  drift: Drift | null;
  measured: Measured;
  unlabelled: number;
  samples: ValidatedSample[];
  citation: Citation;
}
