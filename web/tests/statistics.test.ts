import assert from "node:assert/strict";
import { test } from "node:test";
import { bin_count, calibration_bins } from "../src/statistics/calibration";
import { discoveries, threshold_for, type Ranking } from "../src/statistics/discoveries";
import { standing } from "../src/compare/compare_words";
import { error_bins } from "../src/compare/error_histograms";
import { coin_tail, wilson } from "../src/statistics/intervals";
import { expected_error, learning_sentence, round_samples } from "../src/statistics/learning";
import { sorted_outcomes } from "../src/statistics/outcomes";
import { roc } from "../src/statistics/roc";
import { waterfall } from "../src/statistics/waterfall";
import { first_threshold } from "../src/sections/features";
import { make_compare } from "./make_compare";
import { make_fixture } from "./make_fixture";

const near = (a: number, b: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const ranking = (inclusion: number[]): Ranking => {
  let sum = 0;
  return { inclusion, expected_false: inclusion.map((p) => (sum += 1 - p)) };
};
const fixture = make_fixture("colon");
const outcomes = sorted_outcomes(fixture);
const scores = outcomes.map((o) => o.probability);
const positive = outcomes.map((o) => o.positive);

test("AUC is the fraction of pairs in the right order, ties half", () => {
  const coarse = scores.map((p) => Math.round(p * 5) / 5);
  let pairs = 0;
  let right = 0;
  coarse.forEach((a, i) =>
    coarse.forEach((b, j) => {
      if (!positive[i] || positive[j]) return;
      pairs += 1;
      right += a > b ? 1 : a === b ? 0.5 : 0;
    }),
  );
  near(roc(coarse, positive)!.auc, right / pairs);
});

test("the area under the ROC points is the AUC, and the curve runs from corner to corner", () => {
  const curve = roc(scores, positive)!;
  let area = 0;
  curve.points.slice(1).forEach((p, i) => {
    const q = curve.points[i]!;
    area += ((p.false_positive - q.false_positive) * (p.true_positive + q.true_positive)) / 2;
    assert.ok(p.false_positive >= q.false_positive && p.true_positive >= q.true_positive);
  });
  near(area, curve.auc);
  assert.deepEqual([curve.points[0]!.false_positive, curve.points[0]!.true_positive], [0, 0]);
  assert.deepEqual([curve.points.at(-1)!.false_positive, curve.points.at(-1)!.true_positive], [1, 1]);
});

test("swapping classes and scores leaves the AUC and its error alone; swapping one mirrors it", () => {
  const curve = roc(scores, positive)!;
  const both = roc(
    scores.map((p) => 1 - p),
    positive.map((y) => !y),
  )!;
  near(both.auc, curve.auc);
  near(both.se, curve.se);
  near(
    roc(
      scores,
      positive.map((y) => !y),
    )!.auc,
    1 - curve.auc,
  );
});

test("DeLong's error of a hand-made example", () => {
  // Placements of the positives: 1, 1/2; of the negatives: 1/2, 1. Variances 1/8 each: se = sqrt(1/16 + 1/16).
  const curve = roc([0.9, 0.4, 0.6, 0.1], [true, true, false, false])!;
  near(curve.auc, 0.75);
  near(curve.se, Math.sqrt(1 / 8));
});

test("ROC of one class is nothing, of one sample a class has no error", () => {
  assert.equal(roc([0.1, 0.2], [true, true]), null);
  assert.ok(Number.isNaN(roc([0.1, 0.2], [false, true])!.se));
});

test("calibration bins hold every sample once, in order, and never split equal probabilities", () => {
  const coarse = scores.map((p) => Math.round(p * 4) / 4);
  for (const values of [scores, coarse, scores.map(() => 0.5)]) {
    const bins = calibration_bins(values, positive);
    assert.equal(
      bins.reduce((sum, b) => sum + b.samples, 0),
      values.length,
    );
    assert.equal(
      bins.reduce((sum, b) => sum + b.positives, 0),
      positive.filter(Boolean).length,
    );
    bins.slice(1).forEach((b, i) => assert.ok(b.predicted > bins[i]!.predicted));
    for (const b of bins) assert.ok(b.low <= b.observed && b.observed <= b.high && b.low >= 0 && b.high <= 1);
  }
  assert.deepEqual([bin_count(8), bin_count(62), bin_count(5000)], [2, 5, 10]);
});

test("bins of equal weights are those without, and weights move what is observed as they should", () => {
  const plain = calibration_bins(scores, positive);
  const scaled = calibration_bins(
    scores,
    positive,
    scores.map(() => 3),
  );
  plain.forEach((b, i) => {
    near(b.observed, scaled[i]!.observed);
    near(b.low, scaled[i]!.low);
  });
  const rare = calibration_bins(
    scores,
    positive,
    positive.map((y) => (y ? 0.1 : 1)),
  );
  plain.forEach((b, i) => {
    near(rare[i]!.observed, (0.1 * b.positives) / (0.1 * b.positives + b.samples - b.positives));
    assert.ok(rare[i]!.low <= rare[i]!.observed && rare[i]!.observed <= rare[i]!.high);
  });
});

test("Wilson's interval holds the shares from which the count is less than 1.96 sd away", () => {
  const z = 1.959963984540054;
  for (const p of wilson(9, 62)) near((9 / 62 - p) ** 2, (z * z * p * (1 - p)) / 62);
  assert.equal(wilson(0, 10)[0], 0);
  assert.equal(wilson(10, 10)[1], 1);
  near(wilson(3, 10)[0], 1 - wilson(7, 10)[1]);
});

test("gained and lost samples explain the difference to guessing", () => {
  const g = fixture.guessing!;
  near((g.gained - g.lost) / outcomes.length, fixture.baseline_error! - fixture.loo_error!);
});

test("expected false features: the sum of 1 - inclusion at or above the threshold", () => {
  const found = discoveries(ranking([0.9, 0.8, 0.5, 0.1]), 0.5);
  assert.equal(found.count, 3);
  near(found.expected_false, 0.8);
  near(found.fraction_false, 0.8 / 3);
  assert.deepEqual(discoveries(ranking([0.1]), 0.5), { count: 0, expected_false: 0, fraction_false: 0 });
});

test("the threshold for a rate gives the largest list within it", () => {
  const table = fixture.feature_table;
  const { inclusion } = table;
  for (const rate of [0.02, 0.05, 0.1, 0.2, 0.5]) {
    const at = threshold_for(table, rate);
    if (at === null) continue;
    assert.ok(discoveries(table, at).fraction_false <= rate);
    const next = Math.max(...inclusion.filter((p): p is number => p !== null && p < at));
    assert.ok(discoveries(table, next).fraction_false > rate);
  }
  assert.equal(threshold_for(ranking([0.5, 0.4]), 0.1), null);
  assert.equal(threshold_for(ranking([0.95, 0.85, 0.85]), 0.1), 0.95);
});

test("a waterfall ends at the sum of all contributions, whatever is shown", () => {
  const contributions = fixture.contributions!;
  for (const largest of [0, 3, 12, 50, 99]) {
    const steps = waterfall(contributions, 4, largest);
    const sum =
      contributions.values[4]!.reduce<number>((s, v) => s + v!, 0) + contributions.rest[4]! + contributions.intercept;
    near(steps.at(-1)!.value, sum, 1e-9);
    steps.slice(1, -1).forEach((s, i) => assert.equal(s.from, steps[i]!.to));
  }
});

test("a learning curve is read between its points and not beyond them", () => {
  const curve = { samples: [10, 100, 1000], error: [0.4, 0.2, 0.1], assumptions: "", current_samples: 60 };
  assert.equal(expected_error(curve, 100), 0.2);
  near(expected_error(curve, Math.sqrt(1000))!, 0.3);
  assert.equal(expected_error(curve, 5), null);
  assert.equal(expected_error(curve, 2000), null);
  assert.deepEqual([124, 100, 310, 950].map(round_samples), [200, 100, 400, 1000]);
  assert.match(
    learning_sentence(curve, 0.22, 0.05),
    /^With 200 samples instead of 60, expect an error of 17\.0.%; with 300/,
  );
  assert.match(learning_sentence(curve, 0.5, 0.05), /more than two standard errors/);
});

test("the coin's tail is exact", () => {
  near(coin_tail(1, 3), 0.5);
  near(coin_tail(0, 10), 2 ** -10);
  near(coin_tail(5, 5), 1);
});

test("histograms of errors hold every split, on whole numbers of errors or halves", () => {
  const data = make_compare("colon");
  const bins = error_bins(data);
  assert.equal(
    bins.reduce((sum, bin) => sum + bin.splits, 0),
    data.splits.split.length,
  );
  for (const bin of bins) near(((bin.low + bin.high) / 2) * 20, Math.round(((bin.low + bin.high) / 2) * 20), 1e-9);
  const half = structuredClone(data);
  half.splits.error[0] = 0.5 / 20;
  const found = error_bins(half).find((bin) => Math.abs((bin.low + bin.high) / 2 - 0.025) < 1e-9);
  assert.equal(found?.splits, 1);
});

test("a comparison's standing needs a test, either way", () => {
  const row = { ...make_compare("colon").tests[0]!, sign_test_p: 0.9 };
  assert.equal(standing({ ...row, sign_test_p: 0.01 }), "better");
  assert.equal(standing({ ...row, wins: 3, losses: 4 }), "unclear");
  assert.equal(standing({ ...row, wins: 3, losses: 30 }), "worse");
});

test("the first threshold lists something", () => {
  assert.equal(first_threshold([0.9, 0.1]), 0.5);
  assert.equal(first_threshold([]), 0.5);
  const small = Array.from({ length: 40 }, (_, i) => 0.2 - i * 0.004);
  assert.ok(discoveries(ranking(small), first_threshold(small)).count >= 10);
});

test("many equal probabilities leave no bin of a single sample behind them", () => {
  const probability = [...Array<number>(45).fill(0.014), 0.15, 0.34, 0.45, 0.97, ...Array<number>(23).fill(0.986)];
  const bins = calibration_bins(
    probability,
    probability.map((p) => p > 0.5),
  );
  assert.equal(
    bins.reduce((sum, bin) => sum + bin.samples, 0),
    72,
  );
  assert.deepEqual(
    bins.map((bin) => bin.samples),
    [45, 4, 23],
  );
});
