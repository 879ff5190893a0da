// page/ and the library as WebAssembly -> one file: node build_page.mjs FOLDER_OF_THE_LIBRARY OUTPUT.html
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle, fill } from "./bundle.mjs";
import { license_notices } from "./licenses.mjs";

const [library, output] = process.argv.slice(2).map((path) => resolve(path));
process.chdir(new URL(".", import.meta.url).pathname);
const size_limit = 6_000_000;
const gzip_limit = 2_500_000;

const { text: script, metafile } = await bundle("page/main.ts");
const { text: worker } = await bundle("page/worker.ts");
const { text: style } = await bundle("page/page.css");
const { text: report_style } = await bundle("src/style.css");
const glue = await readFile(`${library}/cavity_page.js`, "utf8");
const wasm = gzipSync(await readFile(`${library}/cavity_page.wasm`), { level: 9 });

let html = await readFile(new URL("page/template.html", import.meta.url), "utf8");
html = fill(html, "SCRIPT_HASH", `sha256-${createHash("sha256").update(script).digest("base64")}`);
html = fill(html, "STYLE", report_style + style);
html = fill(html, "LIBRARY", wasm.toString("base64"));
html = fill(html, "WORKER", `${glue}\n${worker}`);
html = fill(html, "SCRIPT", script);
const notices = `${await license_notices(metafile)}\n\n${await readFile("page/notices.txt", "utf8")}`;
html = fill(html, "LICENSES", notices.replaceAll("<", "&lt;"));

const packed = gzipSync(html).length;
if (html.length > size_limit || packed > gzip_limit)
  throw new Error(`the page has ${html.length} bytes, ${packed} gzipped: more than ${size_limit} or ${gzip_limit}`);
await writeFile(output, html);
console.log(`${output}: ${(html.length / 1e6).toFixed(2)} MB, ${(packed / 1e6).toFixed(2)} MB gzipped`);
