// The page of `cavity panel --report` in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { percent } from "../src/parts/format";
import { write_page } from "./browser";
import { make_panel } from "./make_panel";
import { axe_violations, cut_labels, downloaded, reading, visit } from "./visit";

const pages = {
  panel: make_panel("colon"),
  "panel of four classes": make_panel("tumours"),
  "hostile panel": make_panel("malicious"),
  "panel of nothing": make_panel("nothing"),
};

const reading_of = async (data: unknown, what: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
  reading(await write_page(data), what, options);

for (const [name, data] of Object.entries(pages)) {
  for (const width of [1280, 390]) {
    test(`${name} at ${width} px: every chart is drawn and named, nothing is cut or scrolls sideways`, () =>
      reading_of(
        data,
        async (page) => {
          assert.equal(await page.locator("[role=alert]").count(), 0);
          const charts = await page.locator("#price figure, #members figure").count();
          assert.equal(charts, 2 + data.members.length);
          const drawn = page.locator("#price figure .chart > svg[aria-label], #members figure .chart > svg[aria-label]");
          await drawn.nth(charts - 1).waitFor(); // drawn once it is laid out
          assert.equal(await drawn.count(), charts);
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
          assert.deepEqual(await cut_labels(page), []);
        },
        { viewport: { width, height: 844 } },
      ));
  }
}

for (const name of ["panel", "panel of four classes"] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${name}: axe finds no violation, ${colorScheme}`, () =>
      reading_of(
        pages[name],
        async (page) => {
          for (const details of await page.locator("summary").all()) await details.click();
          assert.deepEqual(await axe_violations(page), []);
        },
        { colorScheme },
      ));
  }
}

test("the verdict says the size, its error and that of all features; the whole fit stands below", () =>
  reading_of(pages.panel, async (page) => {
    const { sizes, whole } = pages.panel;
    const verdict = await page.locator(".verdict").first().innerText();
    assert.ok(verdict.startsWith("5 features would do"), verdict);
    for (const error of [sizes[4]!.error, whole.error]) assert.ok(verdict.includes(percent(error)), verdict);
    assert.equal(await page.locator("h1").count(), 1);
    assert.match(await page.locator("#whole h2").innerText(), /The fit of all features/);
    assert.match(await page.locator("#members").innerText(), /ACTB, GAPDH/);
    const row = page.locator("#members .data-table tbody tr").nth(3);
    assert.match(await row.innerText(), /X211.*X951 \(.0\.001\), X988/s);
  }));

test("where nothing is shown no size is suggested", () =>
  reading_of(pages["panel of nothing"], async (page) => {
    assert.match(await page.locator(".verdict").first().innerText(), /not shown.*no size is suggested/);
    assert.equal(await page.locator("#whole").count(), 0);
  }));

test("names stay text, and downloaded prices equal the JSON", () =>
  reading_of(pages["hostile panel"], async (page) => {
    assert.equal(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned), undefined);
    assert.equal(await page.locator("img, iframe, b").count(), 0);
    const rows = await downloaded(page, "panel_prices.csv");
    assert.deepEqual(
      rows.slice(1).map((row) => [row[1], row[3]]),
      pages["hostile panel"].sizes.map((row) => [row.adds, String(row.error)]),
    );
  }));

test("a panel with a part missing says so instead of half a page", async () => {
  const { whole: _whole, ...rest } = pages.panel;
  const short = structuredClone(pages.panel);
  short.members[0]!.values.pop();
  for (const [data, reason] of [
    [rest, /whole should be of type object/],
    [short, /values: one a sample/],
  ] as const) {
    const { page } = await visit(await write_page(data));
    assert.match(await page.locator("[role=alert]").innerText(), reason);
    await page.close();
  }
});
