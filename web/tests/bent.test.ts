// What features do inside a bent boundary: curves, pairs, and no section where there is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture_page } from "./browser";
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
