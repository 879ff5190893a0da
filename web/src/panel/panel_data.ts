// The contract between `cavity panel --report` and the page: `cavity panel --json`, the members' values, and the report
// of the fit of all features. Missing numbers are null.
import type { Citation, Num } from "../fit/report_data";

type Interval = [Num, Num] | null;

/** On samples that neither the fit nor the search of their fold has seen. */
export interface PanelPrice {
  error: Num;
  error_se: Num;
  error_interval: Interval;
  log_loss: Num; // nats a sample
  log_loss_se: Num;
  balanced_accuracy: Num;
  auc: Num; // null, like all below, of more than two classes
  auc_interval: Interval;
  sensitivity: Num;
  sensitivity_interval: Interval;
  specificity: Num;
  specificity_interval: Interval;
}

export interface PanelSize extends PanelPrice {
  size: number;
  adds: string; // the feature beside those of the size before
  cost: number;
  error_more: Num; // than the whole fits of the same folds
  error_more_se: Num;
  log_loss_more: Num;
  log_loss_more_se: Num;
}

export interface PanelMember {
  name: string;
  weights: Num[]; // a question
  share: number; // of the folds' panels of this size that have it
  stand_ins: { name: string; loss: number; share: number }[]; // loss: nats a sample
  credible_set: string[];
  values: Num[]; // a sample, as the panel sees them before they are centred
}

export interface PanelData {
  kind: "panel";
  version: string;
  command: string;
  file: string;
  samples: number;
  features: number;
  classes: { name: string; count: number }[];
  transform: string; // of the panels
  normalise: string[];
  folds: number;
  repeats: number;
  sizes: PanelSize[];
  whole: PanelPrice;
  suggested: number | null;
  size: number; // of the members
  margin: number;
  members: PanelMember[];
  permutation: { p: Num; shown: boolean | null };
  sample_class: number[]; // a sample: a position in classes
  citation: Citation;
  fit: unknown; // what `cavity fit --report` would show; null: left out
}
