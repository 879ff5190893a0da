// What the core works out from left-out probabilities, by counting: for fixtures, and for the tests to check against.
import type { Bins, Drawn, Guessing, Interval, Num, Question, Roc } from "../src/fit/report_data";
import { range } from "./random";

export interface Judged {
  names: string[]; // of the classes
  truth: number[];
  probability: number[][]; // a row a sample
  asked: number[]; // the class of each question
}

const z = 1.959963984540054;

/** Wilson's score interval. */
export function wilson(hits: number, n: number): Interval {
  if (n === 0) return [0, 1];
  const centre = (hits + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((hits * (n - hits)) / n + (z * z) / 4);
  return [hits === 0 ? 0 : centre - half, hits === n ? 1 : centre + half];
}

/** The most probable class, of equal ones the last. */
export const called_class = (row: number[]): number => row.lastIndexOf(Math.max(...row));

export function confusion_of({ names, truth, probability }: Judged): number[][] {
  const counts = names.map(() => names.map(() => 0));
  probability.forEach((row, i) => (counts[truth[i]!]![called_class(row)]! += 1));
  return counts;
}

function bins_of(said: number[], hit: boolean[]): Bins {
  const order = range(said.length).sort((a, b) => said[a]! - said[b]!);
  const parts = range(Math.min(5, said.length)).map((b, _, all) =>
    order.slice(Math.floor((b * order.length) / all.length), Math.floor(((b + 1) * order.length) / all.length)),
  );
  const rows = parts.map((part) => {
    const hits = part.filter((i) => hit[i]).length;
    const predicted = part.reduce((sum, i) => sum + said[i]!, 0) / part.length;
    return { samples: part.length, hits, predicted, observed: hits / part.length, ends: wilson(hits, part.length) };
  });
  return {
    samples: rows.map((r) => r.samples),
    hits: rows.map((r) => r.hits),
    predicted: rows.map((r) => r.predicted),
    observed: rows.map((r) => r.observed),
    low: rows.map((r) => r.ends[0]!),
    high: rows.map((r) => r.ends[1]!),
  };
}

/** Corners of the staircase: equal probabilities move together, and a step after its like replaces it. */
function roc_of(said: number[], hit: boolean[]): Roc {
  const order = range(said.length).sort((a, b) => said[b]! - said[a]!);
  const ups = hit.filter(Boolean).length;
  const points: { threshold: Num; x: number; y: number }[] = [{ threshold: null, x: 0, y: 0 }];
  let [x, y] = [0, 0];
  order.forEach((i, rank) => {
    if (hit[i]) y += 1;
    else x += 1;
    if (said[order[rank + 1] ?? -1] === said[i]) return;
    const [before, last] = points.slice(-2);
    if (before && last && ((before.x === last.x && last.x === x) || (before.y === last.y && last.y === y))) points.pop();
    points.push({ threshold: said[i]!, x, y });
  });
  return {
    threshold: points.map((p) => p.threshold),
    false_positive: points.map((p) => p.x / (said.length - ups)),
    true_positive: points.map((p) => p.y / ups),
  };
}

const of_class = ({ probability, truth }: Judged, k: number): [number[], boolean[]] => [
  probability.map((row) => row[k]!),
  truth.map((t) => t === k),
];

export function drawn_of(judged: Judged): Drawn {
  const { probability, truth, asked } = judged;
  const called = probability.map(called_class);
  return {
    called: bins_of(
      probability.map((row, i) => row[called[i]!]!),
      truth.map((t, i) => t === called[i]),
    ),
    questions: asked.map((k) => {
      const [said, hit] = of_class(judged, k);
      return { calibration: bins_of(said, hit), roc: roc_of(said, hit) };
    }),
  };
}

/** Pairs in the right order, ties a half. */
function auc_of(said: number[], hit: boolean[]): number {
  const [up, down] = [said.filter((_, i) => hit[i]), said.filter((_, i) => !hit[i])];
  const right = up.map((p) => down.filter((q) => q < p).length + down.filter((q) => q === p).length / 2);
  return right.reduce((a, b) => a + b, 0) / (up.length * down.length);
}

type Figures = Pick<
  Question,
  "loo_error" | "loo_log_loss" | "sensitivity" | "sensitivity_interval" | "specificity" | "specificity_interval" | "auc" | "auc_interval"
>;

export function figures_of(judged: Judged, k: number): Figures {
  const [said, hit] = of_class(judged, k);
  const own = said.map((p, i) => (hit[i] ? p : 1 - p));
  const count = (wanted: boolean): [number, number] => {
    const all = range(said.length).filter((i) => hit[i] === wanted);
    return [all.filter((i) => said[i]! >= 0.5 === wanted).length, all.length];
  };
  const [found, all_up] = count(true);
  const [spared, all_down] = count(false);
  const auc = auc_of(said, hit);
  return {
    loo_error: (said.length - found - spared) / said.length,
    loo_log_loss: -own.reduce((sum, p) => sum + Math.log(p), 0) / own.length,
    sensitivity: found / all_up,
    sensitivity_interval: wilson(found, all_up),
    specificity: spared / all_down,
    specificity_interval: wilson(spared, all_down),
    auc,
    auc_interval: [Math.max(0, auc - 0.08), Math.min(1, auc + 0.04)],
  };
}

/** P(at most `heads` heads in n throws of a fair coin). */
function coin_tail(heads: number, n: number): number {
  let log_term = -n * Math.LN2; // ln C(n, 0) / 2^n
  let tail = 0;
  for (let k = 0; k <= heads; ++k) {
    tail += Math.exp(log_term);
    log_term += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, tail);
}

export function guessing_of({ names, truth, probability }: Judged): Guessing {
  const shares = names.map((_, k) => truth.filter((t) => t === k).length / truth.length);
  const guess = called_class(shares);
  const right = probability.map((row, i) => called_class(row) === truth[i]);
  const gained = right.filter((r, i) => r && truth[i] !== guess).length;
  const lost = right.filter((r, i) => !r && truth[i] === guess).length;
  return {
    class: names[guess]!,
    error: 1 - shares[guess]!,
    brier: (1 - shares.reduce((sum, s) => sum + s * s, 0)) / 2,
    log_loss: -shares.reduce((sum, s) => sum + s * Math.log(s), 0),
    gained,
    lost,
    p_value: Math.min(1, 2 * coin_tail(Math.min(gained, lost), gained + lost)),
  };
}
