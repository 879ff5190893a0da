// The built page, the command line beside it, and files handed to the page as a person would drop them.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Download, Page } from "playwright-core";

const root = resolve("..");
export const address = pathToFileURL(join(root, "build/page/cavity.html")).href;
const program = join(root, "build/release/cavity");

export const folder = mkdtempSync(join(tmpdir(), "cavity-page-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** What the command line prints. */
export const cavity = (...words: string[]): string => execFileSync(program, words, { cwd: folder, encoding: "utf8" });

/** The sentence that the command line refuses with. */
export function refusal(...words: string[]): string {
  const { stderr, status } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (status === 0) throw new Error(`cavity ${words.join(" ")} did not fail`);
  return stderr.trim().replace(/^cavity: /, "");
}

export function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const data = process.env["CAVITY_DATA"] ?? join(root, "../shared/data");
export const colon = join(data, "colon.csv.gz");
export const has_colon = existsSync(colon);

export async function drop(page: Page, ...paths: string[]): Promise<void> {
  const files = paths.map((path) => ({ name: basename(path), base64: readFileSync(path).toString("base64") }));
  const transfer = await page.evaluateHandle((list) => {
    const out = new DataTransfer();
    for (const { name, base64 } of list)
      out.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    return out;
  }, files);
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

export async function understood(page: Page): Promise<string> {
  await page.waitForSelector("#app-understood .facts");
  return (await page.textContent("#app-understood .facts"))!;
}

export async function fit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await page.waitForSelector("#app-report");
}

/** Saves what a button offers and returns where. */
export async function saved(page: Page, name: string): Promise<string> {
  const [download]: [Download, unknown] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`[data-file="${name}"]`),
  ]);
  const path = join(folder, name);
  await download.saveAs(path);
  return path;
}
