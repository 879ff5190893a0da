// "With 200 samples instead of 62, expect ...": reading a learning curve.
import { count, is_number, percent } from "../parts/format";
import type { LearningCurve, Num } from "../fit/report_data";

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

function capital(sentence: string): string {
  return sentence[0]!.toUpperCase() + sentence.slice(1);
}

/** Where theory and leave-one-out disagree at the samples at hand, that comes first, and only the trend is quoted. */
export function learning_sentence(curve: LearningCurve, observed: Num, se: Num): string {
  const now = curve.current_samples;
  const last = curve.samples.at(-1) ?? now;
  const here = expected_error(curve, now);
  const targets = [2, 5]
    .map((factor) => round_samples(factor * now))
    .filter((n) => n > now && n <= last)
    .map((n) => ({ n, e: expected_error(curve, n) }))
    .filter((t) => t.e !== null);
  if (targets.length === 0) return "The curve does not reach beyond the samples at hand.";
  if (here !== null && is_number(observed) && is_number(se) && Math.abs(here - observed) > 2 * se) {
    const trend = targets.map((t) => `to ${percent(t.e)} with ${count(t.n)}`).join(" and ");
    return (
      `The theory does not describe these data: with ${count(now)} samples it expects an error of ${percent(here)}, and ` +
      `leave-one-out finds ${percent(observed)}, more than two standard errors away. Read its trend, not its level: ` +
      `it falls from ${percent(here)} ${trend}.`
    );
  }
  const parts = targets.map(
    (t) => `with ${count(t.n)} samples instead of ${count(now)}, expect an error of ${percent(t.e)}`,
  );
  const agreed =
    here === null || !is_number(observed) || curve.sample_factor !== undefined
      ? ""
      : ` At the present size the theory says ${percent(here)}, leave-one-out ${percent(observed)}.`;
  return capital(parts.join("; ")) + "." + agreed;
}
