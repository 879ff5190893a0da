// Bundles the tests (TypeScript) for node's runner and runs them: dist/tests/*.mjs.
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { build } from "esbuild";

process.chdir(new URL("..", import.meta.url).pathname);
const names = (await readdir("tests")).filter((name) => name.endsWith(".test.ts"));
const wanted = process.argv[2] ? names.filter((name) => name.includes(process.argv[2])) : names;
await rm("dist/tests", { recursive: true, force: true });
await build({
  entryPoints: wanted.map((name) => `tests/${name}`),
  outdir: "dist/tests",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  sourcemap: "inline",
});
const files = wanted.map((name) => `dist/tests/${name.replace(/\.ts$/, ".mjs")}`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...files], {
  stdio: "inherit",
});
process.exit(status ?? 1);
