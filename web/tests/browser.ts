// Debian's Chromium, headless, for pages written to a folder of their own.
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { insert_report } from "./insert_report";
import { make_fixture, type Kind } from "./make_fixture";

const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export async function launch(): Promise<Browser> {
  if (!existsSync(executable))
    throw new Error(`${executable} is not there; install it with: tools/setup web/packages.txt`);
  const quiet = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return await chromium.launch({ executablePath: executable, args: ["--no-sandbox", ...quiet] });
}

export async function write_page(report: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cavity-report-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "report.html");
  await writeFile(path, insert_report(await readFile("dist/report.html", "utf8"), report));
  return pathToFileURL(path).href;
}

const pages = new Map<Kind, Promise<string>>();

/** The address of the page for a fixture, written once. */
export function fixture_page(kind: Kind): Promise<string> {
  if (!pages.has(kind)) pages.set(kind, write_page(make_fixture(kind)));
  return pages.get(kind)!;
}
