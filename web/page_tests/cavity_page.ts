// The built page, the command line beside it, and files handed to the page as a person would drop them.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
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

/** An archive whose members are stored as they are. */
export function zip(members: Record<string, string>): Buffer {
  const number = (value: number, size: number): Buffer => {
    const out = Buffer.alloc(size);
    out.writeUIntLE(value, 0, size);
    return out;
  };
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(members)) {
    const bytes = Buffer.from(text);
    const sizes = [number(crc32(bytes), 4), number(bytes.length, 4), number(bytes.length, 4), number(name.length, 2)];
    const common = Buffer.concat([number(20, 2), Buffer.alloc(8), ...sizes, Buffer.alloc(2)]);
    directory.push(Buffer.from("PK\x01\x02"), number(20, 2), common, Buffer.alloc(10), number(at, 4), Buffer.from(name));
    const member = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), bytes]);
    local.push(member);
    at += member.length;
  }
  const list = Buffer.concat(directory);
  const count = number(Object.keys(members).length, 2);
  const end = [Buffer.from("PK\x05\x06"), Buffer.alloc(4), count, count, number(list.length, 4), number(at, 4), Buffer.alloc(2)];
  return Buffer.concat([...local, list, ...end]);
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
