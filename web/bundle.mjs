// What both pages are built with: esbuild, and texts put into a template.
import { build } from "esbuild";

const root = new URL(".", import.meta.url);

/** `entry` and all that it imports as one text that may stand inside its element. */
export async function bundle(entry) {
  const result = await build({
    entryPoints: [new URL(entry, root).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome110", "firefox110", "safari16"],
    legalComments: "none",
    charset: "ascii",
    metafile: true,
    absWorkingDir: root.pathname,
    write: false,
  });
  return { text: inlined(result.outputFiles[0].text.trim()), metafile: result.metafile };
}

/** A text inside <script> or <style> must not end its own element. */
function inlined(text) {
  if (/<\/script|<!--|<\/style/i.test(text)) throw new Error("the bundle would end its own element");
  return text;
}

/** A function as replacement: "$&" in a bundle must not be taken for a pattern. */
export const fill = (html, name, text) => html.replace(`{{${name}}}`, () => text);
