// What others need to repeat and cite this: options, seed, versions, tables.
import { to_csv } from "../parts/csv";
import { download, el } from "../parts/dom";
import { number, short_name } from "../parts/format";
import type { Citation, ReportData } from "../fit/report_data";
import type { NamedTable } from "../fit/tables";
import { section } from "./section";

function shown(value: unknown): string {
  if (value === null || value === undefined) return "n/a";
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "number") return number(value, 6);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Fact = [name: string, value: string];

export function option_facts(options: Record<string, unknown>): Fact[] {
  return Object.entries(options).map(([name, value]): Fact => [name.replaceAll("_", " "), shown(value)]);
}

function copy_button(text: string, what: string): HTMLElement {
  const button = el("button", { type: "button" }, `Copy ${what}`);
  button.addEventListener("click", () => {
    // The clipboard is refused on some pages opened from disk: then select and copy by hand.
    navigator.clipboard?.writeText(text).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Select the text and copy it"),
    );
  });
  return button;
}

export interface Download {
  file: string;
  title: string;
  text: () => string;
}

export function csv_downloads(tables: NamedTable[]): Download[] {
  return tables.map((table) => ({ file: table.file, title: table.title, text: () => to_csv(table.columns) }));
}

function csv_button({ file, title, text }: Download): HTMLElement {
  return el(
    "button",
    { type: "button", "data-csv": file, click: () => download(file, text()) },
    `${short_name(title, 60)} (${short_name(file, 40)})`,
  );
}

export function downloads(files: Download[]): HTMLElement {
  return section(
    "downloads",
    "Tables to take away",
    el("p", {}, "Full precision, full names, UTF-8; what is not a number is left empty."),
    el("div", { class: "buttons" }, ...files.map(csv_button)),
  );
}

export function cite(citation: Citation): HTMLElement {
  return section(
    "cite",
    "How to cite",
    el("p", {}, citation.text),
    el("pre", { tabindex: 0, role: "region", "aria-label": "BibTeX entry" }, citation.bibtex),
    copy_button(citation.bibtex, "BibTeX"),
  );
}

/** Ready to paste. */
export function methods({ methods: paragraph }: Pick<ReportData, "methods">): HTMLElement | null {
  if (!paragraph) return null;
  return section("methods", "For the methods section", el("p", {}, paragraph), copy_button(paragraph, "paragraph"));
}

export function made(facts: Fact[]): HTMLElement {
  const rows = facts.flatMap(([name, value]) => {
    const text = short_name(value, 300);
    return [
      el("dt", {}, short_name(name, 40)),
      el("dd", { title: text === value ? null : value }, el("bdi", {}, text)),
    ];
  });
  return section("about", "How this was made", el("dl", { class: "facts" }, ...rows));
}
