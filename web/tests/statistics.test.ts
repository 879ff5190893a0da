import assert from "node:assert/strict";
import { test } from "node:test";
import { discoveries, threshold_for, type Ranking } from "../src/statistics/discoveries";
import { guessing_error, standing } from "../src/compare/compare_words";
import { error_bins } from "../src/compare/error_histograms";
import { grouped_calls } from "../src/statistics/calls";
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

test("samples stand with their true class, the surest first, and are wrong where another is called", () => {
  for (const kind of ["colon", "tumours"] as const) {
    const report = make_fixture(kind);
    const calls = grouped_calls(report);
    assert.equal(calls.length, report.samples);
    calls.slice(1).forEach((c, i) => {
      const before = calls[i]!;
      assert.ok(c.truth > before.truth || (c.truth === before.truth && c.of_truth <= before.of_truth));
    });
    report.confusion!.forEach((row, truth) =>
      row.forEach((samples, called) =>
        assert.equal(calls.filter((c) => c.truth === truth && c.called === called).length, samples),
      ),
    );
    near(calls.filter((c) => c.wrong).length / calls.length, report.loo_error!);
    for (const c of calls) assert.equal(c.probability, Math.max(...c.all));
  }
});

test("a sample of which something is not known is left out", () => {
  const report = make_fixture("tumours");
  report.sample_table.loo_probability[3]![1] = null;
  assert.equal(grouped_calls(report).length, report.samples - 1);
  assert.deepEqual(grouped_calls(make_fixture("bare")), []);
});

test("gained and lost samples explain the difference to guessing", () => {
  const g = fixture.guessing!;
  near((g.gained - g.lost) / fixture.samples, fixture.baseline_error! - fixture.loo_error!);
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
  const contributions = fixture.contributions[0]!;
  for (const largest of [0, 3, 12, 50, 99]) {
    const steps = waterfall(contributions, 4, largest);
    const sum =
      contributions.values[4]!.reduce<number>((s, v) => s + v!, 0) + contributions.rest[4]! + contributions.intercept;
    near(steps.at(-1)!.value, sum, 1e-9);
    steps.slice(1, -1).forEach((s, i) => assert.equal(s.from, steps[i]!.to));
  }
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
  const row = { ...make_compare("colon").tests[0]!, sign_test_p: 0.9, sign_test_p_worse: 0.2 };
  assert.equal(standing({ ...row, sign_test_p: 0.01 }), "better");
  assert.equal(standing(row), "unclear");
  assert.equal(standing({ ...row, sign_test_p_worse: 0.01 }), "worse");
  assert.equal(standing({ ...row, sign_test_p: null, sign_test_p_worse: null }), "unclear");
});

test("guessing the commonest class errs on all others, however many classes there are", () => {
  const data = { ...make_compare("colon"), classes: [8, 23, 12, 20].map((samples, k) => ({ name: `c${k}`, samples })) };
  near(guessing_error(data)!, 40 / 63);
});

test("the first threshold lists something", () => {
  assert.equal(first_threshold([0.9, 0.1]), 0.5);
  assert.equal(first_threshold([]), 0.5);
  const small = Array.from({ length: 40 }, (_, i) => 0.2 - i * 0.004);
  assert.ok(discoveries(ranking(small), first_threshold(small)).count >= 10);
});
