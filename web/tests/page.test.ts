// The page in a real browser, of two classes and of more: what a reader does with it, and what it must never do.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { discoveries } from "../src/statistics/discoveries";
import { class_words, count, number, percent, probability, short_name } from "../src/parts/format";
import { permutation_words, verdict } from "../src/fit/headline";
import type { ReportData } from "../src/fit/report_data";
import { waterfall } from "../src/statistics/waterfall";
import { fixture_page, write_page } from "./browser";
import { kinds, make_fixture, type Kind } from "./make_fixture";
import { hostile } from "./random";
import { axe_violations, cut_labels, downloaded, reading, visit } from "./visit";

async function reading_of(
  kind: Kind,
  what: (page: Page, report: ReportData) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await reading(
    await fixture_page(kind),
    async (page) => {
      assert.equal(await page.locator("[role=alert]").count(), 0);
      await what(page, make_fixture(kind));
    },
    options,
  );
}

/** A report of two classes and one of four go through the same tests. */
function of_both(what: string, body: (page: Page, report: ReportData) => Promise<void>, options: BrowserContextOptions = {}): void {
  for (const kind of ["colon", "tumours"] as const) test(`${kind}: ${what}`, () => reading_of(kind, body, options));
}

const features = "#features > .data-table";

for (const kind of kinds) {
  for (const width of [1280, 390]) {
    test(`${kind} at ${width} px: every chart is drawn and named, nothing is cut or scrolls sideways`, async () => {
      await reading_of(
        kind,
        async (page, report) => {
          const charts = await page.locator("figure").count();
          assert.ok(charts >= 2);
          assert.equal(await page.locator("figure .chart > svg[aria-label]").count(), charts);
          assert.equal(await page.locator("figure details summary").count(), charts);
          assert.equal(await page.locator("#confidence .warning").count(), report.warnings.length);
          const flatters = report.choice_optimism !== null && report.loo_log_loss !== null;
          assert.equal(await page.getByText("the difference is what the choice flatters").count(), flatters ? 1 : 0);
          const several = report.questions.length > 1;
          assert.equal(await page.locator("[data-question]").count(), several ? 4 : 0);
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
          assert.deepEqual(await cut_labels(page), []);
          assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < (kind === "many" ? 20_000 : 12_000));
        },
        { viewport: { width, height: 844 } },
      );
    });
  }
}

of_both("the first line is the verdict, then error, interval and guessing", async (page, report) => {
  const first = page.locator("body > header > :first-child");
  assert.equal(await first.evaluate((e) => e.tagName), "H1");
  assert.equal(await first.innerText(), verdict(report).text);
  assert.match(await first.innerText(), /^Better than the covariates alone: the features tell the classes apart beyond them, p = 0.002 by 999 permutations/);
  const text = await page.locator(".headline").innerText();
  for (const value of [report.loo_error, report.baseline_error, ...report.loo_error_interval!])
    assert.ok(text.includes(percent(value)), text);
  for (const c of report.classes) assert.ok(text.includes(`${c.count} ${c.name}`), text);
  assert.match(await page.locator("header").innerText(), /Against always guessing .* are gained and \d+ lost \(sign test p < 0.001\)/);
  assert.equal(await page.locator("#features .warning").count(), 0);
});

for (const kind of ["colon", "tumours"] as const)
  test(`${kind}: where nothing is shown, verdict and features say so`, async () => {
    const report = make_fixture(kind);
    report.permutation = { ...report.permutation, shown: false, p: 0.31, p_together: 0.2, p_strongest: 0.6 };
    report.credible_sets = [
      { class: report.questions[0]!.class, probability: 0.9, filled: 0.95, weight: 0.8, features: ["g1", "g2"], share: [0.5, 0.4] },
    ];
    const { page, troubles } = await visit(await write_page(report));
    const words = permutation_words(report);
    assert.match(words, /^p = 0.31 by 999/);
    assert.match(verdict(report).text, /^Not shown to be better than the covariates alone: .*, p = 0.31 by 999 permutations of the labels\.$/);
    assert.equal(await page.locator("h1.unclear").innerText(), verdict(report).text);
    const standing = page.locator("#features > :nth-child(2)");
    assert.equal(await standing.getAttribute("class"), "warning");
    assert.ok((await standing.innerText()).includes(words));
    assert.equal(await page.locator("#credible-sets").count(), 0);
    assert.match(await page.locator("#covariates").innerText(), /not shown that the features take away any of it/);
    await page.close();
    assert.deepEqual(troubles, []);
  });

of_both("the numbers people quote stand in tables, a row a question", async (page, report) => {
  const numbers = await page.locator("#numbers").innerText();
  for (const value of [report.balanced_accuracy, report.loo_error]) assert.ok(numbers.includes(percent(value)), numbers);
  for (const value of [report.brier, report.loo_log_loss]) assert.ok(numbers.includes(number(value, 3)), numbers);
  const rows = await page.locator("#numbers table").nth(1).locator("tbody tr").allInnerTexts();
  assert.equal(rows.length, report.questions.length);
  report.questions.forEach((q, k) => {
    for (const value of [q.sensitivity, q.specificity, ...q.sensitivity_interval!, q.train_error])
      assert.ok(rows[k]!.includes(percent(value)), `${percent(value)} is not in ${rows[k]}`);
    assert.ok(rows[k]!.startsWith(`${q.class} against ${report.questions.length > 1 ? "the rest" : "n"}`), rows[k]);
  });
});

of_both("the confusion matrix counts what is called what", async (page, report) => {
  const rows = await page.locator(".confusion tbody tr").allInnerTexts();
  report.confusion!.forEach((row, k) => {
    const { name, count } = report.classes[k]!;
    const expected = [name, ...row.map((n) => n || "\u00b7"), count, percent(row[k]! / count)];
    assert.deepEqual(rows[k]!.split(/\t/), expected.map(String));
  });
});

of_both("refits that checked the shortcut stand in a table, a row a question", async (page, report) => {
  const table = page.getByRole("table", { name: "leave-one-out checked by refits" });
  const rows = await table.locator("tbody tr").allInnerTexts();
  assert.equal(rows.length, report.questions.length);
  for (const row of rows) assert.match(row, /\t5\t0.021\t0.004\t0\t1$/);
});

of_both("what the covariates know alone stands with their weights in every question", async (page, report) => {
  const text = await page.locator("#covariates").innerText();
  assert.match(text, /sex: male against female/);
  assert.ok(text.includes(percent(report.covariates_alone!.loo_error)), text);
  for (const q of report.questions) assert.ok(text.includes(number(q.covariates[0]!.weight, 3)), text);
});

of_both("a cell tells its numbers to the mouse and to the keyboard; the toggle changes them", async (page, report) => {
  const { grid, chosen } = report.questions[0]!;
  const readout = page.locator("#grid .readout");
  assert.match(await readout.innerText(), /^Chosen cell/);
  await page.hover('#grid rect[data-cell="20"]');
  assert.ok((await readout.innerText()).includes(`leave-one-out error ${percent(grid[20]!.loo_error)}`));
  await page.focus(`#grid rect[data-cell="${chosen}"]`);
  await page.keyboard.press("ArrowRight");
  const next = grid[chosen + 1]!;
  assert.ok((await readout.innerText()).includes(`noise ${next.noise}, width 0.2: leave-one-out error ${percent(next.loo_error)}`));
  const first = await page.locator("#grid .in-cell").nth(20).textContent();
  await page.getByRole("radio", { name: "Log loss" }).check();
  await page.waitForFunction((text) => document.querySelectorAll("#grid .in-cell")[20]?.textContent !== text, first);
  assert.equal(await page.locator("#grid .in-cell").nth(20).textContent(), grid[20]!.loo_log_loss!.toFixed(2));
});

test("arrow keys reach over places where nothing was solved", () =>
  reading_of("colon", async (page, report) => {
    const { grid } = report.questions[0]!;
    const at = (density: number, noise: number): number => grid.findIndex((c) => c.density === density && c.noise === noise);
    assert.equal(at(0.3, 0.3), -1);
    const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement!.getAttribute("data-cell"));
    await page.focus(`#grid rect[data-cell="${at(0.1, 0.3)}"]`);
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), String(at(0.3, 0.15)));
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), String(at(0.3, 0.15)));
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused(), String(at(0.3, 0.1)));
    assert.equal(await page.locator('#grid [data-layer="cell"] rect:not([data-cell])').count(), 2);
  }));

test("tumours: the switches show another class, in chart, readout and table", () =>
  reading_of("tumours", async (page, report) => {
    const [grid, accuracy, features] = [page.locator("#grid"), page.locator("#accuracy"), page.locator("#features")];
    await grid.locator("[data-question]").selectOption("2");
    const other = report.questions[2]!;
    const words = `leave-one-out error ${percent(other.grid[other.chosen]!.loo_error)}`;
    assert.ok((await grid.locator(".readout").innerText()).includes(words));
    await page.waitForFunction(() => document.querySelector("#grid .chart > svg")!.getAttribute("aria-label")!.includes("NB against"));
    const table = accuracy.locator("figure details").first();
    await table.locator("summary").click();
    await accuracy.locator("[data-question]").selectOption("1");
    const { threshold } = report.drawn.questions[1]!.roc;
    assert.ok((await table.locator(".range").innerText()).endsWith(`of ${threshold.length}`));
    assert.equal(await accuracy.locator("h3").first().innerText(), "ROC curve: EWS against the rest");
    assert.equal(await accuracy.locator("h3").nth(1).innerText(), "Calibration of EWS");
    const drawn = features.locator("figure").nth(1);
    await drawn.locator("[data-question]").selectOption("3");
    await drawn.locator("details summary").click();
    const best = Math.max(...report.feature_table.class_inclusion.map((row) => row[3]!));
    assert.ok((await drawn.locator("tbody tr").first().innerText()).includes(probability(best)));
  }));

test("tumours: the map shows inclusion instead of weight, in its table too", () =>
  reading_of("tumours", async (page, report) => {
    const details = page.locator("#features figure details").first();
    await details.locator("summary").click();
    const first = (): Promise<string> => details.locator("tbody tr").first().innerText();
    const weights = await first();
    await page.getByRole("radio", { name: "Inclusion" }).check();
    assert.notEqual(await first(), weights);
    for (const rho of report.feature_table.class_inclusion[0]!)
      assert.ok((await first()).includes(probability(rho)), probability(rho));
  }));

of_both("misclassified samples are named with what they are called", async (page, report) => {
  const { name, label, called, loo_probability } = report.sample_table;
  const wrong = name.map((_, i) => i).filter((i) => called[i] !== label[i]);
  assert.ok(wrong.length > 0);
  const text = await page.locator(".mistakes").innerText();
  const place = (of: string): number => report.classes.findIndex((c) => c.name === of);
  for (const i of wrong) {
    const p = loo_probability[i]![place(called[i]!)];
    assert.ok(text.includes(`${name[i]} (${called[i]} ${probability(p)})`), name[i]);
  }
  await page.locator("#samples .chart").hover({ position: { x: 300, y: 60 } });
});

of_both("the feature table sorts, searches and turns its pages", async (page, report) => {
    const cells = (column: number): Promise<string[]> =>
      page.locator(`${features} tbody tr > :nth-child(${column})`).allInnerTexts();
    const own = (i: number): number => report.questions.findIndex((q) => q.class === report.feature_table.class[i]);
    const by_weight = report.feature_table.class_weight
      .map((row, i) => ({ w: row[own(i)]!, n: report.feature_table.name[i]! }))
      .sort((a, b) => b.w - a.w);
    await page.locator(`${features} thead button`, { hasText: "weight" }).click();
    assert.deepEqual(
      await cells(1),
      by_weight.slice(0, 25).map((r) => r.n),
    );
    assert.equal(await page.locator(`${features} th[aria-sort="descending"]`).innerText(), "weight \u25bc");
    await page.locator(`${features} thead button`, { hasText: "weight" }).press("Enter");
    assert.deepEqual(
      await cells(1),
      by_weight
        .slice(-25)
        .reverse()
        .map((r) => r.n),
    );
    await page.locator(features).getByRole("button", { name: "Next" }).click();
    assert.deepEqual(
      await cells(1),
      by_weight
        .slice(-50, -25)
        .reverse()
        .map((r) => r.n),
    );
    await page.getByPlaceholder("Search features", { exact: true }).fill(report.feature_table.name[3]!.toLowerCase());
    assert.deepEqual(await cells(1), [report.feature_table.name[3]]);
    await page.getByPlaceholder("Search features", { exact: true }).fill("no such feature");
    assert.match(await page.locator(`${features} .range`).innerText(), /^none/);
  });

of_both("the threshold counts its features and the false ones among them, and filters the table", async (page, report) => {
    const output = page.locator("#features output");
    const before = await output.innerText();
    await page.locator("#threshold").fill("0.1");
    const found = discoveries(report.feature_table, 0.1);
    assert.notEqual(await output.innerText(), before);
    assert.ok((await output.innerText()).startsWith(`${found.count} features`), await output.innerText());
    assert.ok((await output.innerText()).includes(percent(found.fraction_false)));
    await page.getByLabel("only those at or above").check();
    assert.ok((await page.locator(`${features} .range`).innerText()).includes(`of ${found.count} (of ${report.features.toLocaleString("en-US")} in all)`));
    await page.locator("#threshold").press("ArrowRight");
    assert.equal(await page.locator("#threshold").inputValue(), "0.105");
    await page.getByRole("button", { name: "at most 20 % false" }).click();
    const share = Number(/\(([\d.]+).%\)/.exec(await output.innerText())![1]);
    assert.ok(share <= 20, String(share));
  });

of_both("a picked sample is explained, from the list and from its bar", async (page, report) => {
  const { name, loo_probability } = report.sample_table;
  const readout = page.locator("#explanation .readout").first();
  await page.selectOption("#sample", { index: 5 });
  assert.ok((await readout.innerText()).startsWith(`${name[5]} is `));
  const table = page.locator("#explanation details").first();
  await table.locator("summary").click();
  const numbers = (): Promise<string> => table.locator("tbody").innerText();
  const first = await numbers();
  await page.selectOption("#sample", { index: 6 });
  assert.notEqual(await numbers(), first);
  await page.locator("#samples .chart").scrollIntoViewIfNeeded();
  const bar = (await page.locator('#samples [data-layer="rect"] rect').last().boundingBox())!;
  await page.mouse.move(bar.x + bar.width / 2, bar.y + 3);
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
  // The last bar is that of the last class's least sure sample; its strip is that of the last question.
  const last = report.classes.length - 1;
  const own = name.map((_, i) => i).filter((i) => report.sample_table.label[i] === report.classes[last]!.name);
  const least = own.reduce((a, b) => (loo_probability[b]![last]! < loo_probability[a]![last]! ? b : a));
  const contributions = report.contributions.at(-1)!;
  const field = waterfall(contributions, least, contributions.features.length).at(-1)!.value;
  const text = await readout.innerText();
  assert.ok(text.startsWith(`${name[least]} is ${class_words(report.classes[last]!.name)}; its field of ${number(field, 3)}`), text);
});

of_both("data tables under the charts open with the keyboard and hold the numbers", async (page, report) => {
  const details = page.locator("#samples details");
  await details.locator("summary").focus();
  await page.keyboard.press("Enter");
  await details.locator("table").waitFor();
  assert.ok((await details.locator(".range").innerText()).includes(`of ${report.samples}`));
});

for (const kind of ["colon", "tumours", "malicious"] as const) {
  test(`${kind}: downloaded tables equal the JSON`, () =>
    reading_of(kind, async (page, report) => {
      const text = (v: unknown): string => (v === null ? "" : String(v));
      const t = report.feature_table;
      const rows = await downloaded(page, "features.csv");
      const asked = report.questions.map((q) => q.class);
      const by_class = ["inclusion", "weight", "sd", "difference", "t", "q"].flatMap((what) => asked.map((name) => `${what}_${name}`));
      assert.deepEqual(rows[0], ["feature", "inclusion", "class", "group", "expected_false", ...by_class]);
      assert.deepEqual(
        rows.slice(1),
        t.name.map((n, i) =>
          [
            ...[n, t.inclusion[i], t.class[i], t.group[i]! < 0 ? null : t.group[i], t.expected_false[i]],
            ...[...t.class_inclusion[i]!, ...t.class_weight[i]!, ...t.class_sd[i]!],
            ...[...t.class_difference[i]!, ...t.class_t[i]!, ...t.class_q[i]!],
          ].map(text),
        ),
      );
      const samples = await downloaded(page, "samples.csv");
      const s = report.sample_table;
      assert.deepEqual(
        samples.slice(1),
        s.name.map((n, i) => [n, s.label[i], s.called[i], ...s.loo_probability[i]!, s.reliable[i]].map(text)),
      );
      const confusion = await downloaded(page, "confusion.csv");
      assert.deepEqual(
        confusion.slice(1),
        report.confusion!.map((row, k) => [report.classes[k]!.name, ...row].map(text)),
      );
      const grid = await downloaded(page, "grid.csv");
      const column = (name: string): string[] => grid.map((row) => row[grid[0]!.indexOf(name)]!).slice(1);
      const cells = report.questions.flatMap((q) => q.grid.map((cell) => ({ cell, name: q.class })));
      assert.deepEqual(column("loo_error"), cells.map(({ cell }) => text(cell.loo_error)));
      assert.deepEqual(column("class"), cells.map(({ name }) => name));
      const pushed = await downloaded(page, "contributions.csv");
      assert.equal(pushed.length, 1 + report.questions.length * report.samples);
    }));
}

for (const kind of ["malicious", "malicious-many"] as const)
  test(`${kind}: hostile names stay text`, () => reading_of(kind, async (page, report) => {
    for (const details of await page.locator("summary").all()) await details.click();
    assert.equal(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned), undefined);
    assert.equal(await page.locator("img, iframe, b").count(), 0);
    assert.equal(await page.locator("script").count(), 3);
    const shown = await page.locator(`${features} tbody th`).allInnerTexts();
    assert.deepEqual(
      shown.slice(0, 4),
      hostile.slice(0, 4).map((n) => short_name(n)),
    );
    const long = page.locator(`${features} tbody th`).nth(10);
    assert.ok((await long.innerText()).length <= 40);
    assert.equal((await long.getAttribute("title"))!.length, 10_000);
    if (report.questions.length === 1)
      assert.match(await page.locator(`${features} tbody tr`).nth(3).innerText(), /n\/a/);
  }));

for (const colorScheme of ["light", "dark"] as const)
  of_both(
    `axe finds no violation, ${colorScheme}`,
    async (page) => {
      for (const details of await page.locator("summary").all()) await details.click();
      assert.deepEqual(await axe_violations(page), []);
    },
    { colorScheme },
  );

of_both("paper: light, without controls, every chart within the sheet", async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.locator("[data-csv]").first().isVisible(), false);
    assert.ok((await page.pdf({ format: "A4" })).length > 10_000);
  });

of_both("how many features matter: every hypothesis of every question", async (page, report) => {
  const shown = page.locator(".how-many");
  const rows = await shown.locator("tbody tr").allInnerTexts();
  assert.equal(rows.length, report.questions.length > 1 ? 5 : 4); // the largest number differs
  assert.ok(rows[0]!.startsWith("none") && rows[0]!.includes("0.002 (0.667)"), rows[0]);
  for (const q of report.questions)
    assert.ok(rows.at(-1)!.includes(`3 to ${q.expected_relevant_interval![1]}`), rows.at(-1));
});

of_both("the forecast says the error of twice the samples with its interval", async (page, report) => {
  const last = report.forecast!.points.at(-1)!;
  const text = await page.locator("#learning").innerText();
  for (const value of [last.error, ...last.interval]) assert.ok(text.includes(percent(value)), text);
  assert.ok(text.includes(`With ${count(last.samples)} samples instead of ${count(report.samples)}`), text);
  assert.equal((await downloaded(page, "forecast.csv")).length, 1 + report.forecast!.points.length);
});
