// How far a proportion from few samples can be trusted.

const z95 = 1.959963984540054;

/** Wilson's score interval, 95 %: sane at 0 and n, unlike p +- 2 se. */
export function wilson(hits: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const p = hits / n;
  const centre = p + (z95 * z95) / (2 * n);
  const half = z95 * Math.sqrt((p * (1 - p)) / n + (z95 * z95) / (4 * n * n));
  const scale = 1 + (z95 * z95) / n;
  // At the ends the exact bound is 0 or 1; rounding must not push it past.
  return [hits === 0 ? 0 : (centre - half) / scale, hits === n ? 1 : (centre + half) / scale];
}

/** P(at most `heads` heads in n throws of a fair coin). */
export function coin_tail(heads: number, n: number): number {
  let log_term = -n * Math.LN2; // ln C(n, 0) / 2^n
  let tail = 0;
  for (let k = 0; k <= heads; ++k) {
    tail += Math.exp(log_term);
    log_term += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, tail);
}
