// "With 200 samples instead of 62, expect ...": reading a learning curve.
import { count, is_number, percent } from "./format";
import type { LearningCurve, Num } from "./report_data";

/** Linear in log samples between the curve's points; null outside them. */
export function expected_error(curve: LearningCurve, samples: number): number | null {
  const known = curve.samples
    .map((n, i) => ({ n, e: curve.error[i] }))
    .filter((p): p is { n: number; e: number } => is_number(p.e));
  for (let i = 0; i < known.length; ++i) {
    const right = known[i]!;
    if (right.n === samples) return right.e;
    const left = known[i - 1];
    if (left && left.n < samples && samples < right.n) {
      const t = Math.log(samples / left.n) / Math.log(right.n / left.n);
      return left.e + t * (right.e - left.e);
    }
  }
  return null;
}

/** 1, 2 or 5 times a power of ten: people plan studies in round numbers. */
export function round_samples(samples: number): number {
  const power = 10 ** Math.floor(Math.log10(samples));
  const factor = [1, 2, 3, 4, 5, 6, 8, 10].find((f) => f * power >= samples * 0.999) ?? 10;
  return factor * power;
}

export function learning_sentence(curve: LearningCurve, observed: Num, se: Num): string {
  const now = curve.current_samples;
  const last = curve.samples.at(-1) ?? now;
  const here = expected_error(curve, now);
  const targets = [2, 5].map((factor) => round_samples(factor * now)).filter((n) => n > now && n <= last);
  const parts = targets
    .map((n) => ({ n, e: expected_error(curve, n) }))
    .filter((t) => t.e !== null)
    .map((t) => `with ${count(t.n)} samples instead of ${count(now)}, expect an error of ${percent(t.e)}`);
  if (parts.length === 0) return "The curve does not reach beyond the samples at hand.";
  const sentence = parts.join("; ");
  return sentence[0]!.toUpperCase() + sentence.slice(1) + "." + agreement(here, observed, se);
}

function agreement(theory: number | null, observed: Num, se: Num): string {
  if (theory === null || !is_number(observed)) return "";
  const far = is_number(se) && Math.abs(theory - observed) > 2 * se;
  const judged = far
    ? " They differ by more than two standard errors: trust the shape of the curve, not its level."
    : "";
  return ` At the present size the theory says ${percent(theory)}, leave-one-out ${percent(observed)}.${judged}`;
}
