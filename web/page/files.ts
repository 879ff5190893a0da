// Files that people choose or drop, and what each of them is for.
import { el } from "../src/parts/dom";

export interface Chosen {
  table?: File;
  beside?: File; // a sample sheet, or labels of a table without names
  companions: File[]; // of PLINK: .bim and .fam
  model?: File;
}

const ends = (file: File, ...endings: string[]): boolean =>
  endings.some((ending) => file.name.toLowerCase().endsWith(ending));

/** Of two tables the smaller one says something about the samples of the larger one. */
export function sort_out(files: File[]): Chosen {
  const model = files.find((file) => ends(file, ".cavity"));
  const companions = files.filter((file) => ends(file, ".bim", ".fam"));
  const rest = files.filter((file) => file !== model && !companions.includes(file));
  const [table, beside] = rest.sort((a, b) => b.size - a.size);
  return { companions, ...(table && { table }), ...(beside && { beside }), ...(model && { model }) };
}

/** Tables that hold numbers alone have their labels in a file, one a line. */
export const needs_labels = (table: File): boolean => /\.(npy|mtx)(\.gz)?$/i.test(table.name) || ends(table, ".bed");

/** study.csv.gz -> study */
export const stem = (file: File): string =>
  file.name
    .replace(/\.(gz|zst)$/i, "")
    .replace(/\.[^.]+$/, "")
    .replace(/[^\w.-]+/g, "_") || "table";

/** A button that opens the system's file dialogue. */
export function file_button(text: string, many: boolean, chosen: (files: File[]) => void): HTMLElement {
  const input = el("input", { type: "file", multiple: many, "aria-label": text });
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = ""; // the same file again is a choice, too
    if (files.length > 0) chosen(files);
  });
  return el("span", { class: "file-button" }, text, input);
}

/** Files may be dropped anywhere on the page; `zone` shows where they go. */
export function accept_drops(zone: HTMLElement, dropped: (files: File[]) => void): void {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) dropped(files);
  });
}

export function save(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes]));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function save_button(text: string, name: string, bytes: Uint8Array<ArrayBuffer>): HTMLElement {
  return el("button", { type: "button", "data-file": name, click: () => save(name, bytes) }, `${text} (${name})`);
}
