// The contract between `cavity fit --report` and the page: the JSON that replaces the template's placeholder.
// Tables are stored by column. A number that is missing, NaN or infinite is null. See web/README.md.

/** null is shown as "n/a" and left empty in CSV files. */
export type Num = number | null;

export interface Cell {
  density: number;
  noise: number;
  width: number; // of the boundary beside the flips of step, in units of the fields' spread
  column: number; // of the table of densities by noises and widths; only cells that were solved are listed
  kept: number; // features, expected under the prior
  solver: string;
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
  // Of every sample left out; no rows where nothing is known of any.
  called: string[]; // the most probable class, of equal ones the last
  loo_probability: Num[][]; // a row a sample, a number a class
  reliable: boolean[];
}

/** Most included first, by the question that includes each most; at most 5,000 rows. */
export interface FeatureTable {
  name: string[];
  inclusion: Num[]; // the largest over the questions
  class: string[]; // the one that this speaks of
  group: number[]; // features so correlated that they share their inclusion; -1: none
  expected_false: Num[]; // how many of the features down to this one are expected to be false ones
  class_inclusion: Num[][]; // a row a feature, a number a question
  class_weight: Num[][]; // positive: speaks for the question's class
  class_sd: Num[][];
  // Of the feature alone, the question's class against the others; null where it is not known.
  class_difference: Num[][]; // of the means, on the scale of the weights
  class_t: Num[][]; // Student's
  class_q: Num[][]; // smallest false-discovery rate at which it alone would be listed
}

/** The mean field of a sample is intercept + sum of its values + rest; above 0 it speaks for the question's class. */
export interface Contributions {
  features: string[]; // at most 50, the largest contributors over all samples
  values: Num[][]; // one row a sample, one value a feature of `features`
  rest: Num[]; // a sample: all other features and covariates together
  intercept: number;
  bent?: BentOwed | null; // null: the boundary is straight, or features are all alike in it
}

/** The probability of the question's class by a bent boundary, each sample left out; and with one feature at its mean. */
export interface BentOwed {
  features: (string | number)[]; // the most relevant first
  probability: Num[]; // a sample
  without: Num[][]; // one row a sample, one value a feature
}

/** Samples by rising probability, in bins: does what is said come true? */
export interface Bins {
  samples: number[];
  hits: number[]; // samples of which it came true
  predicted: number[]; // mean probability
  observed: number[]; // share that came true
  low: number[]; // 95 % interval of observed
  high: number[];
}

/** From (0, 0) to (1, 1); points on a straight piece are left out. */
export interface Roc {
  threshold: Num[]; // the class is called from this probability on; null: never
  false_positive: number[];
  true_positive: number[];
}

/** What the charts of left-out probabilities are drawn from. */
export interface Drawn {
  called: Bins; // the probability of the called class
  questions: { calibration: Bins; roc: Roc }[];
}

/** The error on parts of the samples, on all, and on more. */
export interface Forecast {
  points: { samples: number; error: Num; interval: Interval }[]; // increasing; intervals of 80 %
  why_none: string | null;
}

export interface CovariateWeight {
  name: string;
  category: string; // empty for a number
  reference: string; // the category it is set against
  weight: Num; // per unit, on the scale of the features' weights
  sd: Num;
}

/** Do the features tell the classes apart at all? All is null where there is no test, and why_none says why. */
export interface Permutation {
  shown: boolean | null; // whether they do, at the usual level
  p: Num;
  p_together: Num; // of all features together
  p_strongest: Num; // of the one that says most
  permutations: number;
  why_none: string | null;
}

/** Always guessing the commonest class, and what the fit gains over it by leave-one-out. */
export interface Guessing {
  class: string;
  error: Num;
  brier: Num; // of the classes' shares as probabilities
  log_loss: Num;
  gained: number; // samples that are right where the guess is wrong
  lost: number;
  p_value: Num; // two-sided: the sign test, with `class_prior` that of the difference of the errors
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
  samples: number; // that they left out
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
  class: string; // of its question
  features: (string | number)[];
  share: Num[];
  probability: Num; // that one of them does
  filled: Num; // that any feature does
  weight: Num; // of the sparsest models in the mixture; all of the above allows for it
}

export interface ClassCount {
  name: string;
  count: number; // samples
}

/** How the probabilities of the questions become those of classes: docs/cli.md. */
export interface Calibration {
  recalibrated: boolean; // those of the only question
  temperature: Num; // of the softmax that joins several
  offset: number[] | null;
  coupling: number[][] | null;
  together: { share: number; precision: number } | null; // a fit of all classes at once beside them
}

/** So many features matter: before and after the labels are seen. */
export interface Hypothesis {
  kept: number; // 0: none
  prior: Num;
  posterior: Num;
}

/** One class, or side, against the others; figures are by leave-one-out where they do not say otherwise. */
export interface Question {
  class: string;
  solver: string;
  solver_reason: string;
  grid: Cell[];
  chosen: number; // index into grid: the heaviest cell, or the one selected
  loo_error: Num;
  loo_log_loss: Num;
  sensitivity: Num; // share of the class with a probability of 1/2 or more
  sensitivity_interval: Interval | null;
  specificity: Num; // share of the others with less
  specificity_interval: Interval | null;
  auc: Num;
  auc_interval: Interval | null;
  train_error: Num;
  expected_relevant_interval?: Interval | null; // how many features matter
  hypotheses?: Hypothesis[]; // empty where inclusion is no average over them
  covariates: CovariateWeight[];
  loo_check: LooCheck | null;
  boundary?: Boundary;
}

/** A feature inside the bent boundary; its effect: what it does to the probability while all others stay. */
export interface BentFeature {
  name: string | number;
  relevance: Num; // its part of all
  effect: { value: number[]; probability: number[]; low: number[]; high: number[] } | null; // of the most relevant
}

/** Two features that act together. */
export interface BentPair {
  first: string | number;
  second: string | number;
  strength: Num; // 0 to 2
  first_value: number[]; // low, middle, high
  second_value: number[];
  probability: Num[][]; // a row a value of the first
}

export interface Boundary {
  share: number; // of the bent one in the answer
  relevant: BentFeature[];
  pairs: BentPair[];
}

export type Interval = [Num, Num]; // 95 % where nothing else is said

export interface ReportData {
  kind: "fit";
  version: string; // of cavity
  command?: string;
  seed: number | string; // a string when it needs more than 53 bits
  options: Record<string, unknown>; // solver, activation, selection, transform, unit_variance, whiten, intercept, ...
  file: string;
  samples: number;
  features: number; // in the file
  kept_features: number; // that took part in inference
  classes: ClassCount[];
  solver: string; // what ran
  solver_reason: string;
  permutation: Permutation;
  sample_groups: number; // groups of samples, each left out as a whole; 0: samples one by one
  loo_error: Num;
  loo_error_se: Num;
  loo_error_interval: Interval | null;
  loo_log_loss: Num;
  choice_optimism: { error: Num; log_loss: Num } | null; // what both would be less if the choice had seen the samples
  balanced_accuracy: Num;
  brier: Num; // half the summed square
  confusion: number[][] | null; // samples: rows the truth, columns the called class
  class_prior: number[] | null; // shares of the classes that the figures are for
  baseline_error: Num; // of always guessing the commonest class
  guessing: Guessing | null;
  calibration: Calibration;
  expected_relevant: Num; // sum of the inclusion over all features, in the table or not
  credible_sets: CredibleSet[];
  covariates_alone: CovariatesAlone | null;
  questions: Question[]; // two classes ask one, of the second; more ask one each
  contributions: (Contributions | null)[]; // a question
  drawn: Drawn;
  forecast?: Forecast;
  methods: string | null; // a paragraph for a paper
  notes: string[];
  warnings: Warning[];
  sample_table: SampleTable;
  feature_table: FeatureTable;
  feature_total: number; // how many features the table was cut from
  stability?: StabilityData; // of `cavity stability`
  citation: Citation;
}
