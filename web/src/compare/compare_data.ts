// The contract between `cavity compare --report` and the page. Missing numbers are null.
import type { Citation, Num } from "../fit/report_data";

export interface ChosenValue {
  value: number;
  splits: number;
}

export interface MethodRow {
  method: string;
  error: Num; // mean over the splits
  sd: Num;
  splits: number;
  unsettled: number; // splits whose chosen cell did not converge
  failed: number; // splits without a classifier: the commonest class was guessed
  density?: ChosenValue[]; // of our own methods
  noise?: ChosenValue[];
}

/** The first method against another. */
export interface TestRow {
  first: string;
  second: string;
  wins: number;
  ties: number;
  losses: number;
  sign_test_p: Num; // one-sided: more wins than a fair coin gives
  sign_test_p_worse: Num; // one-sided: more losses
  welch_t: Num; // above 0: the first has fewer errors
  welch_degrees_of_freedom: Num;
  welch_p: Num; // two-sided
}

/** By column, a row a split and method. */
export interface SplitTable {
  split: number[];
  method: string[];
  test: number[]; // samples
  error: Num[];
  log_loss: Num[];
  status: string[];
  cells: number[]; // of the grid
  settled: number[]; // of them
  density: Num[];
  noise: Num[];
}

export interface CompareData {
  kind: "compare";
  version: string;
  command: string;
  file: string;
  classes: { name: string; samples: number }[];
  features: number;
  train: number; // samples a split
  settings: Record<string, unknown>;
  methods: MethodRow[];
  tests: TestRow[];
  splits: SplitTable;
  citation: Citation;
}
