// What others need to repeat and cite this: options, seed, versions, tables.
import { to_csv } from "../csv";
import { download, el } from "../dom";
import { count, number, short_name } from "../format";
import type { ReportData } from "../report_data";
import { all_tables, type NamedTable } from "../tables";
import { section } from "./section";

function shown(value: unknown): string {
  if (value === null || value === undefined) return "n/a";
  if (typeof value === "number") return number(value, 6);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function facts(report: ReportData): [string, string][] {
  return [
    ["cavity", report.version],
    ...(report.created ? [["written", report.created] as [string, string]] : []),
    ...(report.command ? [["command", report.command] as [string, string]] : []),
    ["file", report.file],
    ["samples", count(report.samples)],
    ["features in the file", count(report.features)],
    ["features in inference", count(report.kept_features)],
    ["positive class", report.positive],
    ["negative class", report.negative],
    ["seed", String(report.seed)],
    ...Object.entries(report.options).map(([name, value]): [string, string] => [
      name.replaceAll("_", " "),
      shown(value),
    ]),
  ];
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

function csv_button(table: NamedTable): HTMLElement {
  return el(
    "button",
    { type: "button", "data-csv": table.file, click: () => download(table.file, to_csv(table.columns)) },
    `${table.title} (${table.file})`,
  );
}

export function about(report: ReportData): HTMLElement[] {
  const rows = facts(report).flatMap(([name, value]) => {
    const text = short_name(value, 300);
    return [
      el("dt", {}, short_name(name, 40)),
      el("dd", { title: text === value ? null : value }, el("bdi", {}, text)),
    ];
  });
  const downloads = section(
    "downloads",
    "Tables to take away",
    el("p", {}, "Full precision, full names, UTF-8; what is not a number is left empty."),
    el("div", { class: "buttons" }, ...all_tables(report).map(csv_button)),
  );
  const cite = section(
    "cite",
    "How to cite",
    el("p", {}, report.citation.text),
    el("pre", { tabindex: 0, role: "region", "aria-label": "BibTeX entry" }, report.citation.bibtex),
    copy_button(report.citation.bibtex, "BibTeX"),
  );
  return [downloads, cite, section("about", "How this was made", el("dl", { class: "facts" }, ...rows))];
}
