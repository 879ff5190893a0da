// A sign test.

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
