// Pages of reports that are not the usual ones, in a real browser: empty, extreme, huge, and with sections that are rare.
import assert from "node:assert/strict";
import { test } from "node:test";
import { short_name } from "../src/parts/format";
import type { ReportData } from "../src/fit/report_data";
import { fixture_page, write_page } from "./browser";
import { make_fixture } from "./make_fixture";
import { hostile } from "./random";
import { axe_violations, cut_labels, visit } from "./visit";

const features = "#features > .data-table";

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

for (const kind of ["colon", "tumours"] as const)
  test(`${kind}: empty tables and a lone extreme value make no trouble`, async () => {
    const report = make_fixture(kind);
    const no_features = { name: [], inclusion: [], class: [], group: [], expected_false: [] };
    const none_alone = { class_difference: [], class_t: [], class_q: [] };
    const empty: ReportData = {
      ...report,
      questions: report.questions.map((q) => ({ ...q, grid: [], chosen: 0 })),
      feature_table: { ...no_features, ...none_alone, class_inclusion: [], class_weight: [], class_sd: [] },
      feature_total: 0,
      sample_table: { name: [], label: [], called: [], loo_probability: [], reliable: [] },
      contributions: report.questions.map(() => null),
    };
    const extreme = structuredClone(report);
    extreme.sample_table.loo_probability[0]![0] = 0;
    extreme.questions[0]!.grid[3]!.loo_log_loss = 1e300;
    extreme.feature_table.class_weight[0]![0] = -1e12;
    extreme.contributions[0]!.values[0] = extreme.contributions[0]!.values[0]!.map(() => null);
    for (const odd of [empty, extreme]) {
      const { page, troubles } = await visit(await write_page(odd));
      assert.equal(await page.locator("[role=alert]").count(), 0);
      if (odd === extreme) await page.locator("#threshold").fill("0.9");
      await page.close();
      assert.deepEqual(troubles, []);
    }
  });

test("a page without a fit says so", async () => {
  const { page } = await visit(await write_page(null));
  assert.match(await page.locator("[role=alert]").innerText(), /cannot be shown/);
  await page.close();
});

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

test("without a forecast there is no section of it", async () => {
  const { forecast: _forecast, ...report } = make_fixture("colon");
  const { page, troubles } = await visit(await write_page(report));
  assert.equal(await page.locator("[role=alert]").count(), 0);
  assert.equal(await page.locator("#learning").count(), 0);
  await page.close();
  assert.deepEqual(troubles, []);
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

for (const kind of ["colon", "tumours"] as const)
  test(`${kind}: credible sets, who fills a place, and how likely each one is`, async () => {
    const report = make_fixture(kind);
    const name = report.feature_table.name.slice(0, 14);
    const asked = report.questions.at(-1)!.class;
    report.credible_sets = [
      { class: asked, features: name, share: name.map((_, i) => 0.3 * 0.8 ** i), probability: 0.9, filled: 0.95, weight: 0.43 },
      { class: asked, features: [hostile[0]!], share: [0.4], probability: 0.4, filled: 0.4, weight: 0.43 },
    ];
    const { page, troubles } = await visit(await write_page(report), { viewport: { width: 390, height: 844 } });
    const shown = await page.locator("#credible-sets").innerText();
    assert.match(shown, report.questions.length > 1 ? /and 9 more\s+RMS\s+0.9/ : /and 9 more\s+0.9/);
    assert.match(shown, /a weight of 0.430 in the mixture/);
    assert.equal(await page.locator("#credible-sets tbody tr").count(), 2);
    assert.ok(shown.includes(short_name(hostile[0]!, 14)), shown);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(await axe_violations(page), []);
    await page.close();
    assert.deepEqual(troubles, []);
  });
