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

/** About 12 samples a bin, between 2 and 10 bins. */
export function bin_count(samples: number): number {
  return Math.max(2, Math.min(10, Math.floor(samples / 12)));
}

interface Member {
  p: number;
  y: number; // 1 of the positive class, else 0
  w: number; // what it counts
}

/** The interval is that of as many samples of equal weight as have the same sum of squares (Kish). */
function make_bin(members: Member[]): CalibrationBin {
  const sum = (term: (m: Member) => number): number => members.reduce((total, m) => total + term(m), 0);
  const positives = sum((m) => m.y);
  const weight = sum((m) => m.w);
  const observed = positives === members.length ? 1 : sum((m) => m.w * m.y) / weight;
  const size = weight ** 2 / sum((m) => m.w ** 2);
  const [low, high] = wilson(observed * size, size);
  return { samples: members.length, positives, predicted: sum((m) => m.w * m.p) / weight, observed, low, high };
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
  weight: number[] = probability.map(() => 1),
): CalibrationBin[] {
  const sorted = probability.map((p, i) => ({ p, y: positive[i] ? 1 : 0, w: weight[i]! })).sort((a, b) => a.p - b.p);
  const result: CalibrationBin[] = [];
  const wanted = sorted.length / bin_count(sorted.length);
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
