// Bayesian false discovery rate: a list of features with inclusion rho_l holds sum (1 - rho_l) false ones on average.
import { is_number } from "../parts/format";
import type { Num } from "../fit/report_data";

export interface Discoveries {
  count: number; // features at or above the threshold
  expected_false: number;
  fraction_false: number; // 0 for an empty list
}

export function discoveries(inclusion: Num[], threshold: number): Discoveries {
  let listed = 0;
  let expected_false = 0;
  for (const rho of inclusion) {
    if (!is_number(rho) || rho < threshold) continue;
    listed += 1;
    expected_false += 1 - rho;
  }
  return { count: listed, expected_false, fraction_false: listed ? expected_false / listed : 0 };
}

/** The lowest threshold whose list has an expected false fraction of at most `rate`; null when no list has. */
export function threshold_for(inclusion: Num[], rate: number): number | null {
  const sorted = inclusion.filter(is_number).sort((a, b) => b - a);
  let expected_false = 0;
  let best: number | null = null;
  for (let k = 0; k < sorted.length; ++k) {
    expected_false += 1 - sorted[k]!;
    // The fraction grows along the ranking, so the first miss ends the search; ties stand or fall together.
    if (expected_false / (k + 1) > rate) break;
    if (k + 1 === sorted.length || sorted[k + 1]! < sorted[k]!) best = sorted[k]!;
  }
  return best;
}
