// What was understood of a table, and how to change it.
import { el } from "../src/parts/dom";
import { count, number, short_name } from "../src/parts/format";
import type { Orientation, Understood } from "./protocol";

export interface Settings {
  label: string;
  group: string;
  id: string;
  covariates: string;
  sheet: string;
  orientation: Orientation;
}

const memory = (bytes: number): string =>
  bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${number(bytes / 1e9, 2)} GB`;

export const too_large = (u: Understood): boolean => u.bytes_needed > u.bytes_available;

function memory_words(u: Understood): string {
  const needs = `A fit of this table needs about ${memory(u.bytes_needed)} of memory`;
  if (!too_large(u)) return `${needs}; a page can have ${memory(u.bytes_available)}.`;
  return (
    `${needs}, and a page can have ${memory(u.bytes_available)} at most: leave out features, ` +
    "or use the command line, which has all of this machine's."
  );
}

export function facts(u: Understood): HTMLElement[] {
  const classes = u.classes.map((c) => `${short_name(c.name, 40)} (${count(c.count)})`).join(", ");
  const rows: [string, string][] = [
    ["samples", count(u.samples)],
    ["features", count(u.features)],
    ["orientation", u.notes.some((note) => note.startsWith("features in rows")) ? "a row a feature" : "a row a sample"],
    ["label", u.label === "" ? "from a file beside the table" : short_name(u.label, 60)],
    ["classes", classes],
    ["missing values", u.missing === 0 ? "none" : `${count(u.missing)}: each takes its feature's mean`],
  ];
  return [
    el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    el("ul", { class: "plain" }, ...u.notes.map((note) => el("li", {}, note))),
    el("p", { class: too_large(u) ? "warning" : "remark" }, memory_words(u)),
  ];
}

export interface SettingsForm {
  element: HTMLElement;
  values(): Settings;
  offer(columns: string[]): void;
  clear(): void;
}

const orientations: [Orientation, string][] = [
  ["auto", "found by itself"],
  ["samples", "a row a sample (--no-transpose)"],
  ["features", "a row a feature (--transpose)"],
];

/** The names of the command line stand beside: the sentences of the library use them. */
export function settings_form(changed: () => void): SettingsForm {
  const names = el("datalist", { id: "app-columns" });
  const text = (): HTMLInputElement =>
    el("input", { type: "text", list: "app-columns", autocomplete: "off", placeholder: "found by itself" });
  const [label, group, id, covariates, sheet] = [text(), text(), text(), text(), text()];
  group.placeholder = covariates.placeholder = "none";
  sheet.placeholder = "the first";
  sheet.removeAttribute("list");
  const orientation = el("select", {}, ...orientations.map(([value, words]) => el("option", { value }, words)));
  const field = (words: string, flag: string, input: HTMLElement): HTMLElement =>
    el("label", {}, words, " ", el("span", { class: "hint" }, flag), input);
  const element = el(
    "fieldset",
    { class: "settings", change: changed },
    el("legend", {}, "Not as it should be? Change it:"),
    field("Label column", "(--label)", label),
    field("Orientation", "", orientation),
    field("Samples that belong together, such as a patient's", "(--group)", group),
    field("Sample ids", "(--id)", id),
    field("Always kept, such as age,sex", "(--covariates)", covariates),
    field("Sheet of a workbook", "(--sheet)", sheet),
    names,
  );
  return {
    element,
    values: () => ({
      label: label.value,
      group: group.value,
      id: id.value,
      covariates: covariates.value,
      sheet: sheet.value,
      orientation: orientation.value as Orientation,
    }),
    offer: (columns) => names.replaceChildren(...columns.map((value) => el("option", { value }))),
    clear() {
      for (const input of [label, group, id, covariates, sheet]) input.value = "";
      orientation.value = "auto";
    },
  };
}
