// Files that people choose or drop, and what each of them is for.
import { el } from "../src/parts/dom";

export interface Chosen {
  table?: File;
  beside?: File; // a sample sheet, or labels of a table without names
  companions: File[]; // of PLINK: .bim and .fam; of 10x Genomics: features and barcodes
  model?: File;
}

const ends = (file: File, ...endings: string[]): boolean =>
  endings.some((ending) => file.name.toLowerCase().endsWith(ending));

/** What lies beside a matrix.mtx of 10x Genomics, whose library finds it there. */
export const of_tenx = (file: File): boolean => /^(features|genes|barcodes)\.tsv(\.gz)?$/.test(file.name);

/** Of two tables the smaller one says something about the samples of the larger one. */
export function sort_out(files: File[]): Chosen {
  const model = files.find((file) => ends(file, ".cavity"));
  const matrix = files.find((file) => /^matrix\.mtx(\.gz)?$/.test(file.name));
  const companions = files.filter((file) => ends(file, ".bim", ".fam") || (matrix !== undefined && of_tenx(file)));
  const rest = files.filter((file) => file !== model && !companions.includes(file));
  const [table, beside] = rest.sort((a, b) => Number(b === matrix) - Number(a === matrix) || b.size - a.size);
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

/** Those of a folder in its place: what was dropped must be asked for before anything is awaited. */
async function dropped_files(transfer: DataTransfer | null): Promise<File[]> {
  const loose = [...(transfer?.files ?? [])];
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory === true) as FileSystemDirectoryEntry[];
  if (folders.length === 0) return loose;
  const names = new Set(folders.map((folder) => folder.name));
  const inside = await Promise.all(folders.map(files_in));
  return [...loose.filter((file) => !names.has(file.name)), ...inside.flat()];
}

/** A browser hands over a hundred entries at a time, and then none. */
async function files_in(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const found: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return found;
    for (const entry of some)
      if (entry.isFile)
        found.push(await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)));
  }
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
    void dropped_files(event.dataTransfer).then((files) => {
      if (files.length > 0) dropped(files);
    });
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
