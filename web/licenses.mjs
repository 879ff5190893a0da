// The notices that travel with the packages inlined in the page, equal permission texts once.
import { readFile, readdir } from "node:fs/promises";

// Inlined by d3's own builds, so that the bundler does not see them.
const inside_d3 = ["node_modules/internmap", "node_modules/delaunator"];

/** Package folders of a bundle's inputs: node_modules/name or node_modules/@scope/name. */
function packages(metafile) {
  const pattern = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  const seen = Object.keys(metafile.inputs)
    .map((path) => pattern.exec(path)?.[1])
    .filter(Boolean);
  return [...new Set([...seen, ...inside_d3])].sort();
}

async function license_text(folder) {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no license file, and the page would carry it without its notice`);
  return await readFile(`${folder}/${file}`, "utf8");
}

/** One block a permission text: the packages with their copyright lines, then the text. */
export async function license_notices(metafile) {
  const blocks = new Map();
  for (const folder of packages(metafile)) {
    const text = await license_text(folder);
    const name = folder.replace(/^.*node_modules\//, "");
    const copyright = text
      .split("\n")
      .filter((line) => /^\s*copyright (\(c\)|\d)/i.test(line))
      .map((line) => line.trim());
    const permission = text
      .split("\n")
      .filter((line) => !/^\s*copyright (\(c\)|\d)/i.test(line))
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
    blocks.set(permission, [...(blocks.get(permission) ?? []), `${name}: ${copyright.join("; ")}`]);
  }
  return [...blocks].map(([permission, names]) => `${names.join("\n")}\n${permission}`).join("\n\n");
}
