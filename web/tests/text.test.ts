import assert from "node:assert/strict";
import { test } from "node:test";
import { csv_field, to_csv } from "../src/parts/csv";
import { sort_rows } from "../src/parts/data_table";
import { class_words, count, number, percent, probability, short_name } from "../src/parts/format";
import { convergence_sentence, guessing_sentence, headline, permutation_sentence, verdict } from "../src/fit/headline";
import { question_words } from "../src/fit/questions";
import { place_labels } from "../src/charts/label_placement";
import { grouped_calls } from "../src/statistics/calls";
import { check_report } from "../src/fit/check_report";
import type { ReportData } from "../src/fit/report_data";
import { BadReport, parse_page_data } from "../src/parts/checks";
import { cell_sentence, ink_on } from "../src/charts/heat_map";
import { all_tables } from "../src/fit/tables";
import { thin } from "../src/charts/thin";
import { escape_json, insert_report } from "./insert_report";
import { kinds, make_fixture } from "./make_fixture";
import { hostile } from "./random";
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
    for (const { columns } of all_tables(make_fixture(kind))) {
      const [header, ...rows] = parse_csv(to_csv(columns));
      assert.deepEqual(
        header,
        columns.map((c) => c.name),
      );
      columns.forEach((column, i) =>
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

test("the verdict is what the permutation test found; without one, guessing is what there is to beat", () => {
  for (const kind of ["colon", "tumours"] as const) {
    const report = make_fixture(kind);
    assert.deepEqual(verdict(report), {
      standing: "better",
      text: "Better than the covariates alone: the features tell the classes apart beyond them, p = 0.002 by 999 permutations of the labels.",
    });
    assert.deepEqual(verdict({ ...report, covariates_alone: null }), {
      standing: "better",
      text: "Better than guessing: the features tell the classes apart, p = 0.002 by 999 permutations of the labels.",
    });
    const unshown = { ...report, permutation: { ...report.permutation, shown: false, p: 0.05 } };
    assert.equal(verdict(unshown).standing, "unclear");
    assert.match(verdict(unshown).text, /^Not shown to be better than the covariates alone: the features are not shown to tell .* beyond them, p = 0.05 by 999/);
    const none = { shown: null, p: null, p_together: null, p_strongest: null, permutations: 0, why_none: "too many" };
    assert.match(verdict({ ...report, permutation: none }).text, /clearly better than guessing/);
    assert.equal(permutation_sentence({ permutation: none }), "No permutation test: too many.");
    assert.match(permutation_sentence(report), /all features together \(p = 0.14\).*says most \(p = 0.001\)/);
    const unsolved = { ...report, questions: report.questions.map((q, k) => (k === 0 ? { ...q, grid: [] } : q)) };
    assert.deepEqual(verdict(unsolved), {
      standing: "worse",
      text: `No grid cell${kind === "colon" ? "" : " of BL"} converged: do not trust these numbers.`,
    });
    const worse = { ...report, guessing: { ...report.guessing!, p_value: 1e-4 }, loo_error: 0.9 };
    assert.equal(verdict(worse).standing, "worse");
    assert.match(verdict(worse).text, /worse than guessing: do not use/);
    const unclear = { ...report, guessing: { ...report.guessing!, p_value: 0.2 } };
    assert.equal(verdict(unclear).standing, "unclear");
  }
  assert.match(verdict(make_fixture("bare")).text, /No sample has/);
});

test("the headline is a sentence with the numbers of the fit", () => {
  const report = make_fixture("colon");
  assert.equal(
    plain(headline({ ...report, loo_error: 9 / 62, loo_error_se: 0.0447, loo_error_interval: [0.0783, 0.2532] })),
    "Of 62 samples of 2 classes (40 t, 22 n), leave-one-out error 14.5 % \u00b1 4.5 % (95 % interval 7.8 % to 25.3 %); always guessing t would give 35.5 %.",
  );
  assert.match(
    plain(headline({ ...report, loo_error: 0, loo_error_se: 0, loo_error_interval: [0, 0.0583] })),
    /leave-one-out error 0.0 % \(95 % interval 0.0 % to 5.8 %\); always/,
  );
  assert.match(headline(make_fixture("tumours")), /^Of 83 samples of 4 classes \(11 BL, 29 EWS, 18 NB, 25 RMS\)/);
  assert.match(headline(make_fixture("many")), /40 species 9 and 41 more\)/);
  assert.match(cell_sentence({ ...report.questions[0]!.grid[0]!, log_evidence: null }), /log evidence n\/a/);
});

test("convergence counts the cells of every question", () => {
  const report = make_fixture("colon");
  assert.match(convergence_sentence(report), /^45 of 47 grid cells converged; .* 2 cells are doubtful\.$/);
  report.questions[0]!.grid[8]!.status = "not mixed";
  assert.match(convergence_sentence(report), /^45 of 47 grid cells can be used; /);
  report.questions[0]!.grid = report.questions[0]!.grid.filter((c) => c.usable);
  assert.match(convergence_sentence(report), /^All of 45 grid cells can be used; /);
  const four = make_fixture("tumours");
  for (const cell of four.questions[2]!.grid) cell.usable = false;
  assert.match(convergence_sentence(four), /^Each of the 4 classes was solved .*: 135 of 188 grid .* None converged of NB\.$/);
  assert.deepEqual(
    [question_words(report, 0), question_words(four, 2)],
    ["t against n", "NB against the rest"],
  );
});

test("the guess is that of the population that was named", () => {
  const report = make_fixture("colon");
  const rare: ReportData = {
    ...report,
    class_prior: [0.95, 0.05],
    loo_error: 0.06,
    baseline_error: 0.05,
    guessing: { ...report.guessing!, class: "n", error: 0.05, p_value: 0.7 },
  };
  assert.equal(verdict(rare).standing, "unclear");
  assert.match(plain(headline(rare)), /always guessing n would give 5.0 %/);
  const said = plain(guessing_sentence(rare, grouped_calls(rare)));
  assert.match(said, /population with 95.0 % n, 5.0 % t\. Against always guessing n, .*\(p = 0.7\), which may be chance\.$/);
  assert.equal(verdict({ ...rare, guessing: { ...rare.guessing!, p_value: 0.001 } }).standing, "worse");
  assert.equal(verdict({ ...rare, loo_error: 0.01, guessing: { ...rare.guessing!, p_value: 0.001 } }).standing, "better");
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

test("half a report is refused with its reason, of any number of classes", () => {
  assert.throws(() => parse_page_data("__CAVITY_REPORT_DATA__"), /holds no results/);
  assert.throws(() => check_report(null), BadReport);
  for (const kind of ["colon", "tumours"] as const) {
    const report = make_fixture(kind);
    const { samples, classes, questions, contributions, drawn } = report;
    const [one, ...others] = contributions;
    const refused: [Partial<Record<keyof ReportData, unknown>>, RegExp][] = [
      [{ questions: null }, /questions should be of type array, and is null/],
      [{ questions: [...questions, questions[0]] }, /questions: \d rows for \d questions/],
      [{ questions: questions.map((q) => ({ ...q, grid: null })) }, /questions\.0\.grid should be of type array, and is null/],
      [{ sample_table: { ...report.sample_table, label: [] } }, /different lengths/],
      [{ sample_table: { ...report.sample_table, reliable: [true] } }, RegExp(`1 rows for ${samples} samples`)],
      [{ sample_table: { ...report.sample_table, loo_probability: report.sample_table.name.map(() => [1]) } }, RegExp(`does not have ${classes.length} values`)],
      [{ confusion: [[1], ...report.confusion!.slice(1)] }, RegExp(`confusion: a row does not have ${classes.length} values`)],
      [{ feature_table: { ...report.feature_table, class_weight: report.feature_table.name.map(() => []) } }, RegExp(`class_weight: a row does not have ${questions.length} values`)],
      [{ contributions: [{ ...one!, values: [] }, ...others] }, RegExp(`0 rows for ${samples} samples`)],
      [{ forecast: { points: [{ samples: 1, error: 0, interval: [0] }], why_none: null } }, /forecast.points.0.interval: 1 rows/],
      [{ drawn: { ...drawn, questions: [] } }, /drawn.questions: 0 rows/],
      [{ drawn: { ...drawn, called: { ...drawn.called, low: [] } } }, /drawn.called: columns of different lengths/],
    ];
    for (const [half, reason] of refused) assert.throws(() => check_report({ ...report, ...half }), reason);
  }
  for (const kind of kinds) check_report(JSON.parse(JSON.stringify(make_fixture(kind))));
});
