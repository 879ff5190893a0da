// src/ -> dist/report.html: one file, script and style inlined, the script allowed by its hash alone.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { license_notices } from "./licenses.mjs";

const placeholder = "__CAVITY_REPORT_DATA__";
const size_limit = 600_000;
const root = new URL(".", import.meta.url);
process.chdir(root.pathname);
const at = (path) => new URL(path, root);

async function bundle(entry) {
  const result = await build({
    entryPoints: [at(entry).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome110", "firefox110", "safari16"],
    legalComments: "none",
    charset: "ascii",
    metafile: true,
    absWorkingDir: at("./").pathname,
    write: false,
  });
  return { text: result.outputFiles[0].text.trim(), metafile: result.metafile };
}

/** A function as replacement: "$&" in a bundle must not be taken for a pattern. */
const fill = (html, name, text) => html.replace(`{{${name}}}`, () => text);

const { text: script, metafile } = await bundle("src/main.ts");
const { text: style } = await bundle("src/style.css");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");

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
