// src/ -> dist/report.html: one file, script and style inlined, the script allowed by its hash alone.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { bundle, fill } from "./bundle.mjs";
import { license_notices } from "./licenses.mjs";

const placeholder = "__CAVITY_REPORT_DATA__";
const size_limit = 600_000;
const root = new URL(".", import.meta.url);
process.chdir(root.pathname);
const at = (path) => new URL(path, root);

const { text: script, metafile } = await bundle("src/main.ts");
const { text: style } = await bundle("src/style.css");

let html = await readFile(at("src/template.html"), "utf8");
html = fill(html, "SCRIPT_HASH", `sha256-${createHash("sha256").update(script).digest("base64")}`);
html = fill(html, "STYLE", style);
html = fill(html, "SCRIPT", script);
html = fill(html, "LICENSES", (await license_notices(metafile)).replaceAll("<", "&lt;"));
if (html.split(placeholder).length !== 2) throw new Error(`${placeholder} must stand in the page exactly once`);
if (html.length > size_limit) throw new Error(`the page has ${html.length} bytes, more than ${size_limit}`);

await mkdir(at("dist/"), { recursive: true });
await writeFile(at("dist/report.html"), html);
console.log(`dist/report.html: ${(html.length / 1000).toFixed(0)} kB`);
