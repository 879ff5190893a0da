// Receiver operating characteristic of scores against two classes, from scores nobody trained on.
// AUC = P(score of a positive > score of a negative) + P(tie)/2; its standard error is DeLong's (Biometrics 44 (1988) 837).

export interface RocPoint {
  false_positive: number;
  true_positive: number;
  threshold: number; // call positive from this score on
}

export interface Roc {
  points: RocPoint[]; // from (0,0) to (1,1); equal scores move together
  auc: number;
  se: number;
}

function mean(values: number[]): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

function variance(values: number[]): number {
  const centre = mean(values);
  return values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1);
}

/** How many of the sorted values are below v, ties counting half. */
function placement(sorted: Float64Array, v: number): number {
  const bound = (keep: (x: number) => boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keep(sorted[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (bound((x) => x < v) + bound((x) => x <= v)) / 2;
}

/** null when a class is empty. */
export function roc(scores: number[], positive: boolean[]): Roc | null {
  const up = Float64Array.from(scores.filter((_, i) => positive[i])).sort();
  const down = Float64Array.from(scores.filter((_, i) => !positive[i])).sort();
  if (up.length === 0 || down.length === 0) return null;
  const of_up = Array.from(up, (v) => placement(down, v) / down.length);
  const of_down = Array.from(down, (v) => 1 - placement(up, v) / up.length);
  const enough = up.length > 1 && down.length > 1;
  const se = enough ? Math.sqrt(variance(of_up) / up.length + variance(of_down) / down.length) : NaN;

  const points: RocPoint[] = [{ false_positive: 0, true_positive: 0, threshold: Infinity }];
  const levels = Array.from(new Set(scores)).sort((a, b) => b - a);
  let i = up.length;
  let j = down.length;
  for (const threshold of levels) {
    while (i > 0 && up[i - 1]! >= threshold) --i;
    while (j > 0 && down[j - 1]! >= threshold) --j;
    points.push({ false_positive: 1 - j / down.length, true_positive: 1 - i / up.length, threshold });
  }
  return { points, auc: mean(of_up), se };
}
