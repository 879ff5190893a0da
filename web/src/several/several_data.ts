// The contract between `cavity fit --report` and the page of a fit of more than two classes. See web/README.md.
import type { Cell, Citation, CovariatesAlone, CovariateWeight, Guessing, Permutation, LooCheck, Num, Warning } from "../fit/report_data";

export interface ClassCount {
  name: string;
  count: number; // samples
}

/** One class against the rest. */
export interface ClassFit {
  name: string;
  solver: string;
  grid: Cell[];
  chosen: Cell;
  loo_error: Num;
  loo_log_loss: Num;
  auc: Num;
  train_error: Num;
  intercept: Num;
  covariates?: CovariateWeight[];
  loo_check?: LooCheck;
}

export interface SeveralSamples {
  name: string[];
  label: string[]; // class name
  loo_probability: Num[][]; // a row a sample, a number a class
  reliable: boolean[];
}

/** Most included first, by overall inclusion: the largest over the classes. At most 5,000 rows. */
export interface SeveralFeatures {
  name: string[];
  inclusion: Num[];
  class: string[]; // the one that the feature is most included for
  class_inclusion: Num[][]; // a row a feature, a number a class; each class against the rest
  class_weight: Num[][]; // positive: speaks for the class
  class_sd: Num[][];
  expected_false: Num[]; // how many of the features down to this one are expected to be false ones
}

/** How the classes' fields become one answer: docs/cli.md. */
export interface Joining {
  floor: number;
  temperature: number;
  offset: number[];
  coupling?: number[][];
  together?: { share: number; precision: number }; // a fit of all classes at once beside them
}

export interface SeveralData {
  kind: "several";
  version: string;
  command?: string;
  seed: number | string;
  options: Record<string, unknown>;
  file: string;
  samples: number;
  features: number; // in the file
  kept_features: number; // that took part in inference
  classes: ClassCount[];
  solver: string;
  solver_reason: string;
  loo_error: Num;
  loo_error_se: Num;
  loo_log_loss: Num;
  loo_error_interval: [Num, Num]; // 95 %
  sample_groups?: number; // groups of samples, each left out as a whole
  balanced_accuracy: Num;
  brier: Num; // half the summed square
  confusion: number[][]; // samples, by leave-one-out: rows the truth, columns the most probable class
  baseline_error: Num; // of always guessing the commonest class
  guessing: Guessing;
  permutation?: Permutation;
  prior?: number[]; // shares of the classes that the figures are for
  covariates_alone?: CovariatesAlone;
  joining: Joining;
  per_class: ClassFit[];
  warnings: Warning[];
  notes: string[];
  sample_table: SeveralSamples;
  feature_table: SeveralFeatures;
  feature_total: number; // how many features the table was cut from
  citation: Citation;
}
