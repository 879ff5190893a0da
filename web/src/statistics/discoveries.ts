// Bayesian false discovery rate: how many of the listed features are expected to be false ones. The numbers come with
// the ranking; here they are looked up.
import { is_number } from "../parts/format";
import type { FeatureTable } from "../fit/report_data";

export type Ranking = Pick<FeatureTable, "inclusion" | "expected_false">;

export interface Discoveries {
  count: number; // features at or above the threshold
  expected_false: number;
  fraction_false: number; // 0 for an empty list
}

export function discoveries(ranking: Ranking, threshold: number): Discoveries {
  let listed = 0;
  let expected_false = 0;
  ranking.inclusion.forEach((rho, k) => {
    if (!is_number(rho) || rho < threshold) return;
    listed += 1;
    expected_false = ranking.expected_false[k] ?? expected_false;
  });
  return { count: listed, expected_false, fraction_false: listed ? expected_false / listed : 0 };
}

/** The lowest threshold whose list has an expected false fraction of at most `rate`; null when no list has. */
export function threshold_for(ranking: Ranking, rate: number): number | null {
  const { inclusion, expected_false } = ranking;
  let best: number | null = null;
  for (let k = 0; k < inclusion.length; ++k) {
    const here = inclusion[k];
    const next = inclusion[k + 1];
    const wrong = expected_false[k];
    // The fraction grows along the ranking, so the first miss ends the search; ties stand or fall together.
    if (!is_number(here) || !is_number(wrong) || wrong / (k + 1) > rate) break;
    if (!is_number(next) || next < here) best = here;
  }
  return best;
}
