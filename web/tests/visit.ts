// One browser for a test file; a visit notes whatever a page must not do.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "./browser";
import { parse_csv } from "./parse_csv";

let browser: Browser;
before(async () => (browser = await launch()));
after(async () => await browser.close());

const patience = 240_000; // milliseconds: a busy machine is slow, not broken

export interface Visit {
  page: Page;
  troubles: string[]; // console errors, exceptions, requests beyond the file itself
}

export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(patience);
  page.setDefaultNavigationTimeout(patience);
  const troubles: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith("blob:") && !url.startsWith("data:")) troubles.push(`request: ${url}`);
  });
  await page.goto(address);
  return { page, troubles };
}

/** One page for one test, closed and free of troubles at its end. */
export async function reading(
  address: string,
  what: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { page, troubles } = await visit(address, options);
  await what(page);
  await page.close();
  assert.deepEqual(troubles, []);
}

/** Texts of charts that reach beyond their chart. */
export async function cut_labels(page: Page): Promise<(string | null)[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll(".chart > svg text")]
      .filter((t) => {
        const [text, svg] = [t.getBoundingClientRect(), t.closest(".chart")!.getBoundingClientRect()];
        return (
          text.width > 0 &&
          (text.left < svg.left - 1 ||
            text.right > svg.right + 1 ||
            text.top < svg.top - 1 ||
            text.bottom > svg.bottom + 1)
        );
      })
      .map((t) => t.textContent),
  );
}

export async function axe_violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(`${process.cwd()}/`).resolve("axe-core/axe.min.js"), "utf8"));
  return await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(
      (v) =>
        `${v.impact} ${v.id}: ${v.nodes
          .slice(0, 3)
          .map((n) => n.html.slice(0, 160))
          .join(" | ")}`,
    );
  });
}

export async function downloaded(page: Page, file: string): Promise<string[][]> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-csv="${file}"]`)]);
  assert.equal(download.suggestedFilename(), file);
  return parse_csv(await readFile((await download.path())!, "utf8"));
}
