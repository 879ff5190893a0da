// The pages of `cavity compare --report`, `cavity reproduce` and `cavity validate --report` in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { percent, short_name } from "../src/parts/format";
import { write_page } from "./browser";
import { make_compare } from "./make_compare";
import { hostile } from "./random";
import { make_reproduce } from "./make_reproduce";
import { make_validate } from "./make_validate";
import { axe_violations, cut_labels, downloaded, reading, visit } from "./visit";

const compare = make_compare("colon");
const site = make_validate("site");
const pages = {
  compare,
  validate: site,
  "hostile validate": make_validate("malicious"),
  "hostile compare": make_compare("malicious"),
  reproduce: make_reproduce("paper"),
  "hostile reproduce": make_reproduce("malicious"),
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
          const charts = await page.locator("figure").count();
          assert.ok(charts >= 3);
          await page.locator("figure .chart > svg[aria-label]").nth(charts - 1).waitFor(); // drawn once it is laid out
          assert.equal(await page.locator("figure .chart > svg[aria-label]").count(), charts);
          assert.equal(await page.locator("figure details summary").count(), charts);
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
          assert.deepEqual(await cut_labels(page), []);
        },
        { viewport: { width, height: 844 } },
      ));
  }
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${name}: axe finds no violation, ${colorScheme}`, () =>
      reading_of(
        data,
        async (page) => {
          for (const details of await page.locator("summary").all()) await details.click();
          assert.deepEqual(await axe_violations(page), []);
        },
        { colorScheme },
      ));
  }
}

for (const name of ["hostile compare", "hostile reproduce", "hostile validate"] as const) {
  test(`${name}: names stay text`, () =>
    reading_of(pages[name], async (page) => {
      for (const details of await page.locator("summary").all()) await details.click();
      assert.equal(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned), undefined);
      assert.equal(await page.locator("img, iframe, b").count(), 0);
      assert.equal(await page.locator("script").count(), 3);
      const text = await page.locator("body").innerText();
      assert.ok(text.includes(short_name(hostile[0]!, 24)) || text.includes(hostile[0]!));
    }));
}

test("a comparison is put into words: the errors, who is ahead, and why p values are too small", () =>
  reading_of(compare, async (page) => {
    const headline = await page.locator(".headline").innerText();
    for (const row of compare.methods)
      assert.ok(headline.includes(`${percent(row.error)} \u00b1 ${percent(row.sd)} with ${row.method}`), headline);
    assert.equal(
      await page.locator(".verdict").innerText(),
      "sbc-ep errs on fewer test samples than sbl and cannot be told apart from fda.",
    );
    assert.equal(await page.locator("h1").innerText(), "colon.csv.gz");
    assert.match(await page.locator("#duels").innerText(), /p values are too small/);
    const test = compare.tests[0]!;
    assert.match(
      await page.locator("#duels > .data-table tbody tr").first().innerText(),
      new RegExp(`sbl\\s+${test.wins}\\s+${test.ties}\\s+${test.losses}\\s+<.0\\.001\\s+3\\.25`),
    );
  }));

test("the table under the histograms counts every split once", () =>
  reading_of(compare, async (page) => {
    const details = page.locator("#errors details");
    await details.locator("summary").click();
    let splits = 0;
    for (;;) {
      splits += (await details.locator("tbody td:last-child").allInnerTexts()).reduce((sum, n) => sum + Number(n), 0);
      const next = details.getByRole("button", { name: "Next" });
      if (!(await next.count()) || (await next.isDisabled())) break;
      await next.click();
    }
    assert.equal(splits, compare.splits.split.length);
  }));

test("downloaded tables of a comparison equal the JSON", () =>
  reading_of(pages["hostile compare"], async (page) => {
    const text = (v: unknown): string => (v === null ? "" : String(v));
    const { splits, tests } = pages["hostile compare"];
    const rows = await downloaded(page, "splits.csv");
    assert.deepEqual(rows[0], Object.keys(splits));
    assert.deepEqual(
      rows.slice(1),
      splits.split.map((_, i) => Object.values(splits).map((column) => text((column as unknown[])[i]))),
    );
    assert.deepEqual(
      (await downloaded(page, "tests.csv")).slice(1).map((row) => row[1]),
      tests.map((row) => row.second),
    );
  }));

test("the reproduced paper shows its numbers beside the print, and gives its CSV away", () =>
  reading_of(pages.reproduce, async (page) => {
    assert.match(await page.locator(".verdict").innerText(), /quick run/);
    assert.match(await page.locator("#fig1 p").innerText(), /0\.11 \u00b1 0\.02, 5.% less/);
    assert.match(
      await page.locator("#table1 .plain-table tr").nth(1).innerText(),
      /21\.7 \u00b1 6\.8.*24\.3 \u00b1 10\.7.*\u22122\.6/s,
    );
    assert.deepEqual(await downloaded(page, "fig1.csv"), [
      ["teacher", "density"],
      ["0.05", "0.01"],
    ]);
    assert.match(await page.locator("#about").innerText(), /18446744073709551615/);
  }));

test("data of another kind, or with a part missing, says so instead of half a page", async () => {
  const { splits: _splits, ...rest } = compare;
  const bent = structuredClone(pages.reproduce);
  (bent.sections[0]!.parts[0] as { kind: string }).kind = "constructor";
  const reasons: [unknown, RegExp][] = [
    [{ ...compare, kind: "else" }, /kind should be/],
    [rest, /splits should be of type object/],
    [bent, /kind is unknown: constructor/],
  ];
  for (const [data, reason] of reasons) {
    const { page } = await visit(await write_page(data));
    assert.match(await page.locator("[role=alert]").innerText(), reason);
    await page.close();
  }
});

test("a validation says what was promised, what came and what differs", () =>
  reading_of(site, async (page) => {
    const headline = await page.locator(".headline").innerText();
    assert.ok(headline.includes(percent(0.21)) && headline.includes(`promised ${percent(0.129)}`), headline);
    assert.equal(await page.locator("h1.verdict").innerText(), "The promise holds, but this cohort differs");
    const found = await page.locator("[data-finding]").evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset["finding"]));
    assert.deepEqual(found, ["other-frequency", "absent-features"]);
    assert.ok((await page.locator("#subgroups tbody").innerText()).includes("north"));
    assert.equal(await page.locator("#samples tr.wrong").count() > 0, true);
    const rows = await downloaded(page, "samples.csv");
    assert.deepEqual(rows[0], ["sample", "truth", "label", "p_n", "p_t", "outside"]);
    assert.equal(rows.length, 121);
  }));

test("the classes of a validation take turns in the charts", () =>
  reading_of(pages["hostile validate"], async (page) => {
    const title = page.locator("#decisions figure h3").first();
    const before = await title.innerText();
    await page.locator("#decisions select").selectOption("2");
    assert.notEqual(await title.innerText(), before);
  }));
