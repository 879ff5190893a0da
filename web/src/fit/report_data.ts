// The contract between `cavity fit --report` and the page: the JSON that replaces the template's placeholder.
// Tables are stored by column. A number that is missing, NaN or infinite is null. See web/README.md.

/** null is shown as "n/a" and left empty in CSV files. */
export type Num = number | null;

export interface Cell {
  density: number;
  noise: number;
  width?: number; // of the boundary beside the flips of step, in units of the fields' spread; not there: 0
  kept?: number; // features, expected under the prior
  solver?: string;
  converged: boolean;
  status: string; // "converged", or why not, in words
  usable: boolean; // converged: takes part in the choice
  reliable: boolean; // false: its leave-one-out numbers are doubtful
  by_folds: boolean; // its leave-one-out is by solutions without a fifth of the samples, or one group, each
  iterations: number;
  residual: Num;
  loo_error: Num;
  loo_log_loss: Num; // nats a sample
  log_evidence: Num;
  weight: Num; // in the mixture; the weights sum to 1
}

export interface Warning {
  name: string;
  text: string;
  cure: string;
}

export interface SampleTable {
  name: string[];
  label: string[]; // class name
  loo_probability: Num[]; // of the positive class, with the sample left out
  reliable: boolean[];
}

/** Most included first; at most 5,000 rows. */
export interface FeatureTable {
  name: string[];
  inclusion: Num[];
  weight: Num[]; // positive: speaks for the positive class
  sd: Num[];
  group: number[]; // features so correlated that they share their inclusion; -1: none
  expected_false: Num[]; // how many of the features down to this one are expected to be false ones
}

/** The mean field of a sample is intercept + sum of its values + rest; above 0 it speaks for the positive class. */
export interface Contributions {
  features: string[]; // about 50, the largest contributors over all samples
  values: Num[][]; // one row a sample, one value a feature of `features`
  rest: Num[]; // a sample: all other features and covariates together
  intercept: number;
}

export interface LearningCurve {
  samples: number[]; // increasing
  error: Num[]; // expected error on new samples
  sample_factor?: number; // what a sample counts, so that the curve passes through the error of this fit
  assumptions: string; // one or two sentences
  current_samples: number;
}

/** Samples; positive is called from a probability of 1/2 on. */
export interface Confusion {
  true_positive: number;
  false_negative: number;
  true_negative: number;
  false_positive: number;
}

export interface CovariateWeight {
  name: string;
  category: string; // empty for a number
  reference: string; // the category it is set against
  weight: Num; // per unit, on the scale of the features' weights
  sd: Num;
}

/** Do the features tell the classes apart at all? p is null where there is no test, and why_none says why. */
export interface Permutation {
  p: Num;
  p_together?: Num; // of all features together
  p_strongest?: Num; // of the one that says most
  permutations: number;
  log_loss?: Num; // left out, by a kernel of all features
  expected_log_loss?: Num; // the same, with the labels dealt anew
  why_none?: string;
}

/** Always guessing the commoner class, and what the fit gains over it by leave-one-out. */
export interface Guessing {
  class: string;
  error: Num;
  brier: Num; // of the class's share as a probability
  log_loss: Num;
  gained: number; // samples that are right where the guess is wrong
  lost: number;
  p_value: Num; // two-sided: the sign test, with `prior` that of the difference of the errors
}

/** The leave-one-out of the covariates without the features, and how much better the fit is. */
export interface CovariatesAlone {
  loo_error: Num;
  loo_log_loss: Num;
  error_gain: Num;
  error_gain_se: Num;
  log_loss_gain: Num;
  log_loss_gain_se: Num;
}

/** Some samples, or groups of them, were left out in truth, one refit each: how far the one-fit leave-one-out was off. */
export interface LooCheck {
  refits: number;
  samples?: number; // that they left out
  failed: number; // refits that did not converge and say nothing
  changed_labels: number;
  largest_difference: Num; // of probabilities
  mean_difference: Num;
}

export interface Citation {
  text: string;
  bibtex: string;
}

/** Features that some half of the samples selects, or that are most included. */
export interface StabilityData {
  halves: number; // 0: the average over all of them
  mean_selected: number; // features a half selects
  threshold: number; // share of halves from which a feature is stable
  stable: number; // features
  most_expected_false: number;
  table: { name: (string | number)[]; inclusion: Num[]; mean: Num[]; sd: Num[]; share: Num[] };
}

/** Features that fill one place of the sparsest models, most frequent first, with the probability of each. */
export interface CredibleSet {
  features: (string | number)[];
  share: Num[];
  probability: Num; // that one of them does
  filled: Num; // that any feature does
  weight?: Num; // of the sparsest models in the mixture; all of the above allows for it
}

export interface ReportData {
  kind: "fit";
  version: string; // of cavity
  created?: string; // as it should be shown
  command?: string;
  seed: number | string; // a string when it needs more than 53 bits
  options: Record<string, unknown>; // solver, activation, selection, transform, unit_variance, whiten, intercept, ...
  file: string;
  samples: number;
  features: number; // in the file
  kept_features: number; // that took part in inference
  classes: Record<string, number>; // name: samples
  positive: string;
  negative: string;
  solver: string; // what ran
  solver_reason: string;
  loo_error: Num;
  loo_error_se: Num;
  loo_log_loss: Num;
  choice_optimism?: { error: Num; log_loss: Num }; // what both would be less if the choice had seen the samples
  loo_error_interval?: [Num, Num]; // 95 %, as all intervals
  sample_groups?: number; // groups of samples, each left out as a whole; none: samples one by one
  confusion?: Confusion;
  sensitivity?: Num;
  sensitivity_interval?: [Num, Num];
  specificity?: Num;
  specificity_interval?: [Num, Num];
  balanced_accuracy?: Num;
  auc?: Num;
  auc_se?: Num;
  auc_interval?: [Num, Num];
  brier?: Num;
  prior?: [number, number]; // share of the negative and of the positive class that the figures are for
  covariates?: CovariateWeight[];
  covariates_alone?: CovariatesAlone;
  train_error: Num;
  loo_check?: LooCheck | null;
  baseline_error: Num; // of always guessing the commoner class
  guessing?: Guessing;
  permutation?: Permutation; // not in reports of before
  grid: Cell[];
  chosen: number; // index into grid
  warnings: Warning[];
  notes: string[];
  sample_table: SampleTable;
  feature_table: FeatureTable;
  credible_sets?: CredibleSet[];
  stability?: StabilityData; // of `cavity stability`
  feature_total: number; // how many features the table was cut from
  expected_relevant?: Num; // sum of the inclusion over all features, in the table or not
  contributions: Contributions | null;
  learning_curve: LearningCurve | null;
  citation: Citation;
}
