// Bundles tests (TypeScript) for node's runner and runs them: node tests/run.mjs [FOLDER [PART_OF_A_NAME]].
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { build } from "esbuild";

process.chdir(new URL("..", import.meta.url).pathname);
const [folder = "tests", part = ""] = process.argv.slice(2);
const wanted = (await readdir(folder)).filter((name) => name.endsWith(".test.ts") && name.includes(part));
await rm(`dist/${folder}`, { recursive: true, force: true });
await build({
  entryPoints: wanted.map((name) => `${folder}/${name}`),
  outdir: `dist/${folder}`,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  sourcemap: "inline",
});
const files = wanted.map((name) => `dist/${folder}/${name.replace(/\.ts$/, ".mjs")}`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...files], {
  stdio: "inherit",
});
process.exit(status ?? 1);
