// The page in a real browser: what a reader does with it, and what it must never do.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { discoveries } from "../src/statistics/discoveries";
import { percent, short_name } from "../src/parts/format";
import type { ReportData } from "../src/fit/report_data";
import { fixture_page, write_page } from "./browser";
import { hostile, kinds, make_fixture, type Kind } from "./make_fixture";
import { axe_violations, cut_labels, downloaded, visit } from "./visit";

/** One page for one test, closed and free of troubles at its end. */
async function reading(
  kind: Kind,
  what: (page: Page, report: ReportData) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { page, troubles } = await visit(await fixture_page(kind), options);
  await what(page, make_fixture(kind));
  await page.close();
  assert.deepEqual(troubles, []);
}

const features = "#features > .data-table";

for (const kind of kinds) {
  for (const width of [1280, 390]) {
    test(`${kind} at ${width} px: every chart is drawn and named, nothing scrolls sideways`, async () => {
      await reading(
        kind,
        async (page, report) => {
          const charts = await page.locator("figure").count();
          assert.equal(await page.locator("figure .chart > svg[aria-label]").count(), charts);
          assert.equal(await page.locator("figure details summary").count(), charts);
          assert.equal(await page.locator("#confidence .warning").count(), report.warnings.length);
          const flatters = report.grid.length > 1 && report.loo_log_loss !== null && report.options["selection"] !== "evidence";
          assert.equal(await page.getByText("the difference is what the choice flatters").count(), flatters ? 1 : 0);
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
          assert.deepEqual(await cut_labels(page), []);
        },
        { viewport: { width, height: 844 } },
      );
    });
  }
}

test("the headline states error, baseline and verdict", () =>
  reading("colon", async (page, report) => {
    const text = await page.locator(".headline").innerText();
    assert.ok(text.includes(percent(report.loo_error)) && text.includes(percent(report.baseline_error)), text);
    assert.match(await page.locator(".verdict").innerText(), /clearly better/);
  }));

test("the numbers people quote stand in a table, with the covariates", () =>
  reading("colon", async (page, report) => {
    const numbers = await page.locator("#numbers").innerText();
    for (const value of [report.sensitivity, report.specificity, report.balanced_accuracy, report.loo_error])
      assert.ok(numbers.includes(percent(value!)), `${percent(value!)} is not in ${numbers}`);
    for (const value of Object.values(report.confusion!)) assert.ok(numbers.includes(String(value)));
    const covariates = await page.locator("#covariates").innerText();
    assert.match(covariates, /sex: male against female/);
    assert.ok(covariates.includes(percent(report.covariates_alone!.loo_error)), covariates);
  }));

test("a cell tells its numbers to the mouse and to the keyboard; the toggle changes them", () =>
  reading("colon", async (page, report) => {
    const readout = page.locator("#grid .readout");
    assert.match(await readout.innerText(), /^Chosen cell/);
    await page.hover('#grid rect[data-cell="20"]');
    assert.ok((await readout.innerText()).includes(`leave-one-out error ${percent(report.grid[20]!.loo_error)}`));
    await page.focus(`#grid rect[data-cell="${report.chosen}"]`);
    await page.keyboard.press("ArrowRight");
    const next = report.grid[report.chosen + 1]!;
    assert.ok(
      (await readout.innerText()).includes(`noise ${next.noise}: leave-one-out error ${percent(next.loo_error)}`),
    );
    const first = await page.locator("#grid .in-cell").nth(20).textContent();
    await page.getByRole("radio", { name: "Log loss" }).check();
    await page.waitForFunction((text) => document.querySelectorAll("#grid .in-cell")[20]?.textContent !== text, first);
    assert.equal(await page.locator("#grid .in-cell").nth(20).textContent(), report.grid[20]!.loo_log_loss!.toFixed(2));
  }));

test("misclassified samples are named", () =>
  reading("colon", async (page, report) => {
    const { name, label, loo_probability } = report.sample_table;
    const wrong = name.filter((_, i) => loo_probability[i]! >= 0.5 !== (label[i] === report.positive));
    const text = await page.locator(".mistakes").innerText();
    for (const n of wrong) assert.ok(text.includes(`${n} (`), n);
    await page.locator("#samples .chart").hover({ position: { x: 300, y: 120 } });
  }));

test("the feature table sorts, searches and turns its pages", () =>
  reading("colon", async (page, report) => {
    const cells = (column: number): Promise<string[]> =>
      page.locator(`${features} tbody tr > :nth-child(${column})`).allInnerTexts();
    const by_weight = report.feature_table.weight
      .map((w, i) => ({ w: w!, n: report.feature_table.name[i]! }))
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
    await page.getByRole("button", { name: "Next" }).first().click();
    assert.deepEqual(
      await cells(1),
      by_weight
        .slice(-50, -25)
        .reverse()
        .map((r) => r.n),
    );
    await page.getByPlaceholder("Search features").fill(report.feature_table.name[3]!.toLowerCase());
    assert.deepEqual(await cells(1), [report.feature_table.name[3]]);
    await page.getByPlaceholder("Search features").fill("no such feature");
    assert.match(await page.locator(`${features} .range`).innerText(), /^none/);
  }));

test("the threshold counts its features and the false ones among them, and filters the table", () =>
  reading("colon", async (page, report) => {
    const output = page.locator("#features output");
    const before = await output.innerText();
    await page.locator("#threshold").fill("0.1");
    const found = discoveries(report.feature_table, 0.1);
    assert.notEqual(await output.innerText(), before);
    assert.ok((await output.innerText()).startsWith(`${found.count} features`), await output.innerText());
    assert.ok((await output.innerText()).includes(percent(found.fraction_false)));
    await page.getByLabel("only those at or above").check();
    assert.ok((await page.locator(`${features} .range`).innerText()).includes(`of ${found.count} (of 2,000 in all)`));
    await page.locator("#threshold").press("ArrowRight");
    assert.equal(await page.locator("#threshold").inputValue(), "0.105");
    await page.getByRole("button", { name: "at most 20 % false" }).click();
    const share = Number(/\(([\d.]+).%\)/.exec(await output.innerText())![1]);
    assert.ok(share <= 20, String(share));
  }));

test("a picked sample is explained, from the list and from its dot", () =>
  reading("colon", async (page, report) => {
    await page.selectOption("#sample", { index: 5 });
    assert.ok(
      (await page.locator("#explanation .readout").innerText()).startsWith(`${report.sample_table.name[5]} is `),
    );
    const table = page.locator("#explanation details");
    await table.locator("summary").click();
    const numbers = (): Promise<string> => table.locator("tbody").innerText();
    const first = await numbers();
    await page.selectOption("#sample", { index: 6 });
    assert.notEqual(await numbers(), first);
    const chart = page.locator("#samples .chart");
    await chart.scrollIntoViewIfNeeded();
    const dot = (await page.locator('#samples [data-layer="dot"] path').last().boundingBox())!;
    await page.mouse.move(dot.x + 2, dot.y + 3);
    await page.mouse.click(dot.x + dot.width / 2, dot.y + dot.height / 2);
    const { loo_probability, name } = report.sample_table;
    const best = loo_probability.indexOf(Math.max(...loo_probability.map((p) => p!)));
    assert.ok((await page.locator("#explanation .readout").innerText()).startsWith(`${name[best]} is `));
  }));

test("data tables under the charts open with the keyboard and hold the numbers", () =>
  reading("colon", async (page, report) => {
    const details = page.locator("#samples details");
    await details.locator("summary").focus();
    await page.keyboard.press("Enter");
    await details.locator("table").waitFor();
    assert.ok((await details.locator(".range").innerText()).includes(`of ${report.samples}`));
  }));

for (const kind of ["colon", "malicious"] as const) {
  test(`${kind}: downloaded tables equal the JSON`, () =>
    reading(kind, async (page, report) => {
      const text = (v: unknown): string => (v === null ? "" : String(v));
      const { name, inclusion, weight, sd, group } = report.feature_table;
      const rows = await downloaded(page, "features.csv");
      assert.deepEqual(
        rows.slice(1),
        name.map((n, i) => [n, inclusion[i], weight[i], sd[i], group[i]! < 0 ? null : group[i]].map(text)),
      );
      const samples = await downloaded(page, "samples.csv");
      const t = report.sample_table;
      assert.deepEqual(
        samples.slice(1),
        t.name.map((n, i) => [n, t.label[i], t.loo_probability[i], t.reliable[i]].map(text)),
      );
      const grid = await downloaded(page, "grid.csv");
      assert.deepEqual(
        grid.map((row) => row[grid[0]!.indexOf("loo_error")]).slice(1),
        report.grid.map((c) => text(c.loo_error)),
      );
    }));
}

test("hostile names stay text", () =>
  reading("malicious", async (page) => {
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
    assert.match(await page.locator(`${features} tbody tr`).nth(3).innerText(), /n\/a/);
  }));

test("an inserted script would not run: the policy allows the page's own alone", async () => {
  const { page, troubles } = await visit(await fixture_page("colon"));
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 3";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned), undefined);
  assert.match(troubles.join(), /Content Security Policy/);
  await page.close();
});

test("empty tables and a lone extreme value make no trouble", async () => {
  const report = make_fixture("colon");
  const none = { name: [], inclusion: [], weight: [], sd: [], group: [], expected_false: [] };
  const empty = {
    ...report,
    grid: [],
    feature_table: none,
    feature_total: 0,
    sample_table: { name: [], label: [], loo_probability: [], reliable: [] },
    contributions: null,
  };
  const extreme = structuredClone(report);
  extreme.sample_table.loo_probability[0] = 0;
  extreme.grid[3]!.loo_log_loss = 1e300;
  extreme.feature_table.weight[0] = -1e12;
  extreme.contributions!.values[0] = extreme.contributions!.values[0]!.map(() => null);
  for (const odd of [empty, extreme]) {
    const { page, troubles } = await visit(await write_page(odd));
    assert.equal(await page.locator("[role=alert]").count(), 0);
    await page.locator("#threshold").fill("0.9");
    await page.close();
    assert.deepEqual(troubles, []);
  }
});

test("a page without a fit says so", async () => {
  const { page } = await visit(await write_page(null));
  assert.match(await page.locator("[role=alert]").innerText(), /cannot be shown/);
  await page.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no serious violation, ${colorScheme}`, () =>
    reading(
      "colon",
      async (page) => {
        for (const details of await page.locator("summary").all()) await details.click();
        assert.deepEqual(await axe_violations(page), []);
      },
      { colorScheme },
    ));
}

test("paper: light, without controls, every chart within the sheet", () =>
  reading("colon", async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.locator("[data-csv]").first().isVisible(), false);
    assert.ok((await page.pdf({ format: "A4" })).length > 10_000);
  }));

test("20,000 features x 1,000 samples: opens and keeps the document small", async (t) => {
  const address = await fixture_page("stress");
  const times: number[] = [];
  for (let i = 0; i < 3; ++i) {
    const { page, troubles } = await visit(address);
    await page.locator("#learning .chart > svg").waitFor();
    times.push(await page.evaluate(() => performance.now())); // since the navigation began
    assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < 12_000);
    await page.getByPlaceholder("Search features").fill("GENE1");
    assert.equal(await page.locator(`${features} tbody tr`).count(), 25);
    await page.close();
    assert.deepEqual(troubles, []);
  }
  t.diagnostic(`opened in ${times.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  // A limit on seconds fails on a busy machine for no fault of the page: it is held only where asked for.
  if (process.env.CAVITY_TIMING) assert.ok(Math.min(...times) < 3000);
});

test("stability and groups: a section of its own, and words that say what was left out", async () => {
  const report = make_fixture("colon");
  const name = report.feature_table.name.slice(0, 30);
  const falling = (from: number): number[] => name.map((_, i) => from * 0.9 ** i);
  report.sample_groups = 31;
  report.stability = {
    halves: 100,
    mean_selected: 10,
    threshold: 0.6,
    stable: 4,
    most_expected_false: 0.25,
    table: { name, inclusion: falling(0.8), mean: falling(0.5), sd: falling(0.2), share: falling(1) },
  };
  const { page, troubles } = await visit(await write_page(report), { viewport: { width: 390, height: 844 } });
  assert.match(await page.locator(".headline").innerText(), /leave-one-group-out error/);
  assert.match(await page.locator("#numbers").innerText(), /31 groups of samples/);
  assert.match(await page.locator("#stability").innerText(), /at most 0.25 of these are expected to be false/);
  assert.equal(await page.locator("#stability .chart > svg[aria-label]").count(), 1);
  await page.locator("#stability details summary").click();
  await page.locator("#stability thead th").first().waitFor(); // the table is made when it is opened
  assert.equal(await page.locator("#stability thead th").count(), 5);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(await cut_labels(page), []);
  assert.deepEqual(await axe_violations(page), []);
  await page.close();
  assert.deepEqual(troubles, []);
});

test("credible sets: who fills a place, and how likely each one is", async () => {
  const report = make_fixture("colon");
  const name = report.feature_table.name.slice(0, 14);
  report.credible_sets = [
    { features: name, share: name.map((_, i) => 0.3 * 0.8 ** i), probability: 0.9, filled: 0.95, weight: 0.43 },
    { features: [hostile[0]!], share: [0.4], probability: 0.4, filled: 0.4 },
  ];
  const { page, troubles } = await visit(await write_page(report), { viewport: { width: 390, height: 844 } });
  const shown = await page.locator("#credible-sets").innerText();
  assert.match(shown, /and 9 more\s+0.9/);
  assert.match(shown, /a weight of 0.430 in the mixture/);
  assert.equal(await page.locator("#credible-sets tbody tr").count(), 2);
  assert.ok(shown.includes(short_name(hostile[0]!, 14)), shown);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(await axe_violations(page), []);
  await page.close();
  assert.deepEqual(troubles, []);
});
