// The page of a fit of more than two classes in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { percent, probability } from "../src/parts/format";
import { grouped_calls } from "../src/statistics/calls";
import type { SeveralData } from "../src/several/several_data";
import { write_page } from "./browser";
import { make_several, several_kinds } from "./make_several";
import { axe_violations, cut_labels, downloaded, visit } from "./visit";

async function reading(
  report: SeveralData,
  what: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { page, troubles } = await visit(await write_page(report), options);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await what(page);
  await page.close();
  assert.deepEqual(troubles, []);
}

const tumours = make_several("tumours");

for (const kind of several_kinds) {
  for (const width of [1280, 390]) {
    test(`${kind} at ${width} px: every chart is drawn and named, nothing is cut or scrolls sideways`, () =>
      reading(
        make_several(kind),
        async (page) => {
          assert.equal(await page.locator("figure").count(), 3);
          assert.equal(await page.locator("figure .chart > svg[aria-label]").count(), 3);
          assert.equal(await page.locator("#confidence .warning").count(), 1);
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
          assert.deepEqual(await cut_labels(page), []);
          assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < 16_000);
        },
        { viewport: { width, height: 844 } },
      ));
  }
}

test("the headline and the confusion matrix state what leave-one-out found", () =>
  reading(tumours, async (page) => {
    const text = await page.locator(".headline").innerText();
    assert.ok(text.includes(percent(tumours.loo_error)) && text.includes(percent(tumours.baseline_error)), text);
    assert.ok(text.includes("29 EWS"), text);
    const rows = await page.locator(".confusion tbody tr").allInnerTexts();
    tumours.confusion.forEach((row, k) => {
      const size = tumours.classes[k]!.count;
      const expected = [tumours.classes[k]!.name, ...row.map((n) => n || "\u00b7"), size, percent(row[k]! / size)];
      assert.deepEqual(rows[k]!.split(/\t/), expected.map(String));
    });
  }));

test("what the covariates know alone stands with their weights", () =>
  reading(tumours, async (page) => {
    const text = await page.locator("#covariates").innerText();
    assert.ok(text.includes(percent(tumours.covariates_alone!.loo_error)), text);
    assert.match(text, /age, a unit/);
  }));

test("misclassified samples are named with what they are called", () =>
  reading(tumours, async (page) => {
    const wrong = grouped_calls(tumours).filter((c) => c.wrong);
    assert.ok(wrong.length > 0);
    const text = await page.locator(".mistakes").innerText();
    for (const c of wrong)
      assert.ok(text.includes(`${c.name} (${tumours.classes[c.called]!.name} ${probability(c.probability)})`), c.name);
    await page.locator("#samples .chart").hover({ position: { x: 300, y: 60 } });
  }));

test("the toggle shows inclusion instead of weight, in the map and in its table", () =>
  reading(tumours, async (page) => {
    const details = page.locator("#features figure details");
    await details.locator("summary").click();
    const first = (): Promise<string> => details.locator("tbody tr").first().innerText();
    const weights = await first();
    await page.getByRole("radio", { name: "Inclusion" }).check();
    assert.notEqual(await first(), weights);
    const row = tumours.feature_table.class_inclusion[0]!.map((rho) => probability(rho));
    for (const rho of row) assert.ok((await first()).includes(rho), rho);
  }));

test("tables to take away hold every number", () =>
  reading(tumours, async (page) => {
    const text = (value: unknown): string => String(value);
    const confusion = await downloaded(page, "confusion.csv");
    assert.deepEqual(confusion[0], ["truth", ...tumours.classes.map((c) => `called_${c.name}`)]);
    assert.deepEqual(
      confusion.slice(1).map((row) => row.slice(1)),
      tumours.confusion.map((row) => row.map(text)),
    );
    const samples = await downloaded(page, "samples.csv");
    assert.deepEqual(
      samples.slice(1).map((row) => row.slice(2, -1)),
      tumours.sample_table.loo_probability.map((row) => row.map(text)),
    );
    assert.equal((await downloaded(page, "features.csv")).length, 1 + tumours.features);
    assert.equal((await downloaded(page, "grids.csv")).length, 1 + 4 * 3);
  }));

test("hostile names stay text", () =>
  reading(make_several("malicious"), async (page) => {
    for (const details of await page.locator("summary").all()) await details.click();
    assert.equal(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned), undefined);
    assert.equal(await page.locator("img, iframe, b").count(), 0);
    assert.equal(await page.locator("script").count(), 3);
  }));

test("a row that is too short is refused with a reason", async () => {
  const short = { ...tumours, confusion: [[1], ...tumours.confusion.slice(1)] };
  const { page } = await visit(await write_page(short));
  assert.match(await page.locator("[role=alert]").innerText(), /confusion: a row does not have 4 values/);
  await page.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violation, ${colorScheme}`, () =>
    reading(
      tumours,
      async (page) => {
        for (const details of await page.locator("summary").all()) await details.click();
        assert.deepEqual(await axe_violations(page), []);
      },
      { colorScheme },
    ));
}
