import assert from "node:assert/strict";
import { test } from "node:test";
import { csv_field, to_csv } from "../src/parts/csv";
import { sort_rows } from "../src/parts/data_table";
import { class_words, count, number, percent, probability, short_name } from "../src/parts/format";
import { convergence_sentence, guessing_sentence, headline, permutation_sentence, verdict } from "../src/fit/headline";
import { place_labels } from "../src/charts/label_placement";
import { sorted_outcomes } from "../src/statistics/outcomes";
import { check_report } from "../src/fit/check_report";
import type { ReportData } from "../src/fit/report_data";
import { BadReport, parse_page_data } from "../src/parts/checks";
import { cell_sentence, ink_on } from "../src/charts/heat_map";
import { all_tables } from "../src/fit/tables";
import { thin } from "../src/charts/thin";
import { escape_json, insert_report } from "./insert_report";
import { hostile, kinds, make_fixture } from "./make_fixture";
import { parse_csv } from "./parse_csv";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test("numbers read like numbers", () => {
  assert.deepEqual(
    [0, 0.1234567, 123.456, -2, 1e-6, 1234567, null, NaN, Infinity].map((v) => number(v)),
    ["0", "0.1235", "123.5", "\u22122", "1e\u22126", "1.23e6", "n/a", "n/a", "n/a"],
  );
  assert.deepEqual(
    [0.145, 0, 1, 0.00012, -0.5, null].map((v) => plain(percent(v))),
    ["14.5 %", "0.0 %", "100.0 %", "0.012 %", "\u221250.0 %", "n/a"],
  );
  assert.deepEqual(
    [0.5, 0, 1, 1e-9, 1 - 1e-9, NaN].map((v) => plain(probability(v))),
    ["0.500", "0.000", "1.000", "< 0.001", "> 0.999", "n/a"],
  );
  assert.deepEqual(
    [20000, null].map((v) => count(v)),
    ["20,000", "n/a"],
  );
});

test("names are cut between characters and keep nothing invisible", () => {
  assert.equal(short_name("A".repeat(10_000), 10), "A".repeat(9) + "\u2026");
  assert.equal(short_name("\u{1f9ec}".repeat(200), 3), "\u{1f9ec}\u{1f9ec}\u2026");
  assert.equal(short_name("exactly ten", 11), "exactly ten");
  assert.equal(short_name("\u202egene\n", 10), "\ufffdgene\ufffd");
  assert.equal(short_name(""), "(no name)");
  assert.deepEqual(
    ["t", "1", "-", "\u00e9t\u00e9"].map((name) => class_words(name)),
    ["t", "class 1", "class -", "\u00e9t\u00e9"],
  );
});

test("CSV fields: quotes, separators, line ends, outer blanks; no number for what is none", () => {
  assert.deepEqual(['say "hi"', "a,b", "a\nb", " a", "a\r", "plain"].map(csv_field), [
    '"say ""hi"""',
    '"a,b"',
    '"a\nb"',
    '" a"',
    '"a\r"',
    "plain",
  ]);
  assert.deepEqual([null, NaN, Infinity, 0.1 + 0.2, -1e-300, true].map(csv_field), [
    "",
    "",
    "",
    "0.30000000000000004",
    "-1e-300",
    "true",
  ]);
  assert.equal(
    to_csv([
      { name: "x", values: [1, 2] },
      { name: "y", values: ["a", null] },
    ]),
    "x,y\n1,a\n2,\n",
  );
});

test("every table of every fixture comes back from its CSV as it was", () => {
  for (const kind of kinds) {
    for (const table of all_tables(make_fixture(kind))) {
      const [header, ...rows] = parse_csv(to_csv(table.columns));
      assert.deepEqual(
        header,
        table.columns.map((c) => c.name),
      );
      table.columns.forEach((column, i) =>
        assert.deepEqual(
          rows.map((row) => row[i]),
          column.values.map((v) => (v === null ? "" : String(v))),
        ),
      );
    }
  }
});

test("rows sort both ways with what is missing last and ties in order", () => {
  assert.deepEqual(sort_rows([0, 1, 2, 3, 4], [2, null, 1, 2, NaN], false), [2, 0, 3, 1, 4]);
  assert.deepEqual(sort_rows([0, 1, 2, 3, 4], [2, null, 1, 2, NaN], true), [0, 3, 2, 1, 4]);
  assert.deepEqual(sort_rows([0, 1, 2], ["b", "a", "c"], true), [2, 0, 1]);
});

test("whether there is anything to find is said where it is known", () => {
  assert.equal(permutation_sentence({}), "");
  assert.equal(permutation_sentence({ permutation: { p: null, permutations: 0, why_none: "too many" } }), "");
  assert.match(
    plain(permutation_sentence({ permutation: { p: 0.001, permutations: 999 } })),
    /^The features tell the classes apart: p = 0\.001 by 999 permutations/,
  );
  assert.match(permutation_sentence({ permutation: { p: 0.05, permutations: 99 } }), /are not shown to/);
});

test("the headline is a sentence with the numbers of the fit", () => {
  const report = make_fixture("colon");
  assert.equal(
    plain(headline({ ...report, loo_error: 9 / 62, loo_error_se: 0.0447 })),
    "Of 62 samples (40 t, 22 n), leave-one-out error 14.5 % \u00b1 4.5 %; always guessing t would give 35.5 %.",
  );
  assert.match(
    plain(headline({ ...report, loo_error: 0, loo_error_se: 0, loo_error_interval: [0, 0.0583] })),
    /leave-one-out error 0.0 % \(0 to 5.8 %\); always/,
  );
  assert.equal(verdict(report), "better");
  assert.match(convergence_sentence(report), /^47 of 49 grid cells converged; .* 2 cells are doubtful\.$/);
  assert.match(cell_sentence({ ...report.grid[0]!, log_evidence: null }), /log evidence n\/a/);
});

test("the verdict and the guess are those of the population that was named", () => {
  const report = make_fixture("colon");
  const rare: ReportData = {
    ...report,
    prior: [0.95, 0.05],
    loo_error: 0.06,
    baseline_error: 0.05,
    guessing: { ...report.guessing!, class: "n", error: 0.05, p_value: 0.7 },
  };
  assert.equal(verdict(rare), "unclear");
  assert.match(plain(headline(rare)), /always guessing n would give 5.0 %/);
  assert.match(plain(guessing_sentence(rare, sorted_outcomes(rare))), /population with 5.0 % t\. .*\(p = 0.7\)/);
  assert.equal(verdict({ ...rare, guessing: { ...rare.guessing!, p_value: 0.001 } }), "worse");
  assert.equal(verdict({ ...rare, loo_error: 0.01, guessing: { ...rare.guessing!, p_value: 0.001 } }), "better");
});

test("labels cover neither each other nor a dot and stay in the frame", () => {
  const frame = { left: 0, right: 300, top: 0, bottom: 200 };
  const dots = Array.from({ length: 40 }, (_, i) => ({ x: (i * 67) % 300, y: (i * 41) % 200 }));
  const width = (text: string): number => text.length * 6;
  const placed = place_labels(
    dots.map((d, i) => ({ ...d, text: `name ${i}` })),
    dots,
    frame,
    width,
  );
  const boxes = placed.map((p) => ({
    x0: p.left,
    x1: p.left + width(p.text),
    y0: p.baseline - 10,
    y1: p.baseline + 2,
  }));
  assert.ok(placed.length > 5);
  boxes.forEach((a, i) => {
    assert.ok(a.x0 >= 0 && a.x1 <= 300 && a.y0 >= 0 && a.y1 <= 200);
    for (const b of boxes.slice(i + 1)) assert.ok(a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0);
    for (const d of dots) assert.ok(d.x <= a.x0 || d.x >= a.x1 || d.y <= a.y0 || d.y >= a.y1);
  });
});

test("thinning keeps one dot a spot, the first", () =>
  assert.deepEqual(
    thin(
      [
        { x: 0, y: 0 },
        { x: 0.4, y: 0.4 },
        { x: 9, y: 0 },
      ],
      3,
    ),
    [0, 2],
  ));

test("numbers in cells are written in the ink that reads better", () =>
  assert.deepEqual(["rgb(0, 32, 77)", "rgb(255, 234, 70)"].map(ink_on), ["#fff", "#000"]));

test("escaped JSON holds no character that HTML could act on, and means the same", () => {
  const json = escape_json(JSON.stringify(hostile));
  assert.doesNotMatch(json, /[<>&\u2028\u2029]/);
  assert.deepEqual(JSON.parse(json), hostile);
  assert.equal(
    insert_report("a __CAVITY_REPORT_DATA__ z", "$& __CAVITY_REPORT_DATA__"),
    'a "$\\u0026 __CAVITY_REPORT_DATA__" z',
  );
});

test("half a report is refused with its reason", () => {
  const report = make_fixture("bare");
  assert.throws(() => parse_page_data("__CAVITY_REPORT_DATA__"), /holds no results/);
  assert.throws(() => check_report(null), BadReport);
  assert.throws(() => check_report({ ...report, grid: null }), /grid should be of type array, and is null/);
  assert.throws(
    () => check_report({ ...report, sample_table: { ...report.sample_table, label: [] } }),
    /different lengths/,
  );
  assert.throws(
    () =>
      check_report({ ...make_fixture("demo"), contributions: { features: ["a"], values: [], rest: [], intercept: 0 } }),
    /0 rows for 200 samples/,
  );
  for (const kind of kinds) check_report(JSON.parse(JSON.stringify(make_fixture(kind))));
});
