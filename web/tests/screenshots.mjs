// Runs tests/screenshots.ts: npm run screenshots [-- KIND or FILE.html ...]
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { build } from "esbuild";

process.chdir(new URL("..", import.meta.url).pathname);
await mkdir("dist/screenshots", { recursive: true });
await build({
  entryPoints: ["tests/screenshots.ts"],
  outfile: "dist/screenshots.mjs",
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
});
const { status } = spawnSync(process.execPath, ["dist/screenshots.mjs", "dist/screenshots", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
