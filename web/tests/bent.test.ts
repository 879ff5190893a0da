// What features do inside a bent boundary: curves, pairs, and no section where there is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture_page, write_page } from "./browser";
import { make_fixture } from "./make_fixture";
import { visit } from "./visit";

for (const kind of ["colon", "tumours"] as const)
  test(`${kind}: a curve for each feature that has one, and the pairs that act together`, async () => {
    const { page, troubles } = await visit(await fixture_page(kind));
    const part = page.locator("#bent");
    assert.equal(await part.locator("figure").count(), 1);
    const text = await part.innerText();
    for (const wanted of ["62", "GENE7", "GENE12", "0.48", "1.3", "12"]) assert.ok(text.includes(wanted), wanted);
    assert.equal(await part.locator("table tbody tr").count(), 1); // the other pair acts next to each other
    assert.match((await part.locator(".chart > svg").getAttribute("aria-label"))!, /GENE7, GENE12/);
    assert.ok(!text.includes("GENE3"));
    await page.close();
    assert.deepEqual(troubles, []);
  });

test("bare: nothing is bent, and nothing is said of it", async () => {
  const { page } = await visit(await fixture_page("bare"));
  assert.equal(await page.locator("#bent").count(), 0);
  await page.close();
});

test("a sample is told what it owes to single features, and no field where all of the answer is bent", async () => {
  const { page, troubles } = await visit(await fixture_page("colon"));
  const owed = page.locator("#explanation figure").nth(1);
  const text = await owed.innerText();
  for (const wanted of ["What this sample owes", "GENE7", "GENE12", "at its mean"]) assert.ok(text.includes(wanted), `${wanted}: ${text}`);
  assert.match(text, /(90|10)\.0.% for/);
  await owed.locator("summary").click();
  assert.equal(await owed.locator("table tbody tr").count(), 2);
  await page.close();
  assert.deepEqual(troubles, []);
  const report = make_fixture("colon");
  report.questions[0]!.boundary!.share = 1;
  const whole = (await visit(await write_page(report))).page;
  assert.equal(await whole.locator("#explanation figure").count(), 1);
  assert.ok((await whole.locator("#explanation figure").innerText()).startsWith("What this sample owes"));
  await whole.close();
});
