// A small table of texts, shown whole: its first column names the rows.
import { el } from "./dom";
import { short_name } from "./format";

/** "23.5 +- 10.2" as it is written by hand. */
export const typeset = (text: string): string =>
  text
    .replaceAll("+-", "\u00b1")
    .replace(/(^|[\s(])-(?=\d)/g, "$1\u2212")
    .replace(/(\d) %/g, "$1\u00a0%");

export function plain_table(label: string, head: string[], rows: string[][]): HTMLElement {
  const shown = (text: string): string => (text === "" ? "" : short_name(typeset(text), 120));
  const side = (i: number): string | null => (i > 0 ? "number" : null);
  return el(
    "div",
    { class: "scroll plain-table", role: "region", tabindex: 0, "aria-label": `Table: ${label}` },
    el(
      "table",
      { "aria-label": label },
      el("thead", {}, el("tr", {}, ...head.map((cell, i) => el("th", { scope: "col", class: side(i) }, shown(cell))))),
      el(
        "tbody",
        {},
        ...rows.map((row) =>
          el(
            "tr",
            {},
            ...row.map((cell, i) =>
              i === 0 ? el("th", { scope: "row" }, shown(cell)) : el("td", { class: side(i) }, shown(cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
