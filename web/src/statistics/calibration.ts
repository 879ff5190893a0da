// Do 80 % predictions come true 80 % of the time? Bins of equal counts, so that no bin is empty or a single sample.
import { wilson } from "./intervals";

export interface CalibrationBin {
  samples: number;
  positives: number;
  predicted: number; // mean predicted probability
  observed: number; // fraction of positives
  low: number; // 95 % interval of observed
  high: number;
}

export interface Calibration {
  bins: CalibrationBin[];
  brier: number; // mean squared error of the probabilities
  baseline_brier: number; // of the class frequency
  log_loss: number; // nats a sample
  baseline_log_loss: number;
}

/** About 12 samples a bin, between 2 and 10 bins. */
export function bin_count(samples: number): number {
  return Math.max(2, Math.min(10, Math.floor(samples / 12)));
}

function make_bin(members: { p: number; y: number }[]): CalibrationBin {
  const n = members.length;
  const positives = members.reduce((sum, m) => sum + m.y, 0);
  const [low, high] = wilson(positives, n);
  return {
    samples: n,
    positives,
    predicted: members.reduce((sum, m) => sum + m.p, 0) / n,
    observed: positives / n,
    low,
    high,
  };
}

const fewest = 3;

/** The end of a run of equal probabilities that is nearest to `end` and leaves a bin worth the name. */
function nearest_gap(sorted: { p: number }[], start: number, end: number): number {
  if (end >= sorted.length) return sorted.length;
  let [low, high] = [end, end];
  while (low > start && sorted[low - 1]!.p === sorted[end]!.p) --low;
  while (high < sorted.length && sorted[high]!.p === sorted[end - 1]!.p) ++high;
  if (low === end) return end;
  return end - low <= high - end && low - start >= fewest ? low : high;
}

/** Equal probabilities are never split over two bins; apart from those, bins are alike in size. */
export function calibration_bins(
  probability: number[],
  positive: boolean[],
  bins = bin_count(probability.length),
): CalibrationBin[] {
  const sorted = probability.map((p, i) => ({ p, y: positive[i] ? 1 : 0 })).sort((a, b) => a.p - b.p);
  const result: CalibrationBin[] = [];
  const wanted = sorted.length / bins;
  let start = 0;
  while (start < sorted.length) {
    // What is left is shared out anew: many equal probabilities may have filled several bins' worth.
    const left = sorted.length - start;
    const end = nearest_gap(sorted, start, start + Math.ceil(left / Math.max(1, Math.round(left / wanted))));
    result.push(make_bin(sorted.slice(start, end)));
    start = end;
  }
  return result;
}

export function calibration(probability: number[], positive: boolean[]): Calibration | null {
  const n = probability.length;
  if (n === 0) return null;
  const share = positive.filter(Boolean).length / n;
  const entropy = (q: number): number => (q > 0 ? -q * Math.log(q) : 0);
  let brier = 0;
  let log_loss = 0;
  for (let i = 0; i < n; ++i) {
    const p = probability[i]!;
    brier += ((positive[i] ? 1 : 0) - p) ** 2 / n;
    log_loss -= Math.log(positive[i] ? p : 1 - p) / n;
  }
  return {
    bins: calibration_bins(probability, positive),
    brier,
    baseline_brier: share * (1 - share),
    log_loss,
    baseline_log_loss: entropy(share) + entropy(1 - share),
  };
}
