// A table in pages: sorted by its headers, searched by text, a few dozen rows in the document at a time.
import { el } from "./dom";
import { count, short_name } from "./format";

export type Value = string | number | boolean | null;

export interface TableColumn {
  title: string;
  values: readonly Value[];
  format?: (value: never) => string; // default: the text itself
  hint?: string; // what the column means
  longest?: number; // characters shown; default: 40
}

export interface TableOptions {
  label: string; // for screen readers
  columns: TableColumn[];
  search?: string; // placeholder of the search box; searches the first column
  page_size?: number;
  mark?: (row: number) => string | null; // a class name for a row
}

export interface DataTable {
  element: HTMLElement;
  keep(rows: ((row: number) => boolean) | null): void; // show only these rows
}

function compare(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

/** Row numbers in order; what is missing stays last both ways, ties keep their order. */
export function sort_rows(rows: number[], values: readonly Value[], descending: boolean): number[] {
  const missing = rows.filter((r) => values[r] === null || Number.isNaN(values[r]));
  const known = rows.filter((r) => !(values[r] === null || Number.isNaN(values[r])));
  known.sort((a, b) => (descending ? -1 : 1) * compare(values[a]!, values[b]!) || a - b);
  return [...known, ...missing];
}

function cell_text(column: TableColumn, value: Value): string {
  if (column.format) return column.format(value as never);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === null ? "n/a" : String(value);
}

function is_numeric(column: TableColumn): boolean {
  return column.values.some((v) => typeof v === "number") || column.values.every((v) => v === null);
}

class PagedTable implements DataTable {
  readonly element: HTMLElement;
  private readonly body = el("tbody");
  private readonly status = el("span", { class: "range", role: "status" });
  private readonly headers: HTMLTableCellElement[];
  private readonly previous = el("button", { type: "button", click: () => this.turn(-1) }, "Previous");
  private readonly next = el("button", { type: "button", click: () => this.turn(1) }, "Next");
  private readonly size: number;
  private readonly total: number;
  private rows: number[] = [];
  private page = 0;
  private sorted: { column: number; descending: boolean } | null = null;
  private query = "";
  private kept: ((row: number) => boolean) | null = null;
  private readonly names: string[]; // lower case, for the search

  constructor(private readonly options: TableOptions) {
    this.size = options.page_size ?? 20;
    this.total = options.columns[0]?.values.length ?? 0;
    this.names = options.search ? (options.columns[0]?.values ?? []).map((v) => String(v).toLowerCase()) : [];
    this.headers = options.columns.map((column, i) => this.header(column, i));
    const table = el(
      "table",
      { "aria-label": options.label },
      el("thead", {}, el("tr", {}, ...this.headers)),
      this.body,
    );
    const scroll = el(
      "div",
      { class: "scroll", role: "region", tabindex: 0, "aria-label": `Table: ${options.label}` },
      table,
    );
    const whole = this.total <= this.size && !options.search;
    const pager = el(
      "div",
      { class: "pager", hidden: whole },
      this.status,
      this.total > this.size && this.previous,
      this.total > this.size && this.next,
    );
    this.element = el(
      "div",
      { class: "data-table" },
      options.search ? this.search_box(options.search) : null,
      scroll,
      pager,
    );
    this.refresh();
  }

  keep(rows: ((row: number) => boolean) | null): void {
    this.kept = rows;
    this.refresh();
  }

  private header(column: TableColumn, i: number): HTMLTableCellElement {
    const button = el(
      "button",
      { type: "button", title: column.hint, click: () => this.sort_by(i) },
      column.title,
      el("span", { class: "arrow", "aria-hidden": "true" }),
    );
    return el("th", { scope: "col", class: is_numeric(column) ? "number" : null }, button);
  }

  private search_box(placeholder: string): HTMLElement {
    const input = el("input", {
      type: "search",
      placeholder,
      "aria-label": placeholder,
      autocomplete: "off",
      spellcheck: "false",
    });
    input.addEventListener("input", () => {
      this.query = input.value.trim().toLowerCase();
      this.refresh();
    });
    return el("div", { class: "search" }, input);
  }

  private sort_by(column: number): void {
    const numeric = is_numeric(this.options.columns[column]!);
    const again = this.sorted?.column === column;
    this.sorted = { column, descending: again ? !this.sorted!.descending : numeric };
    this.refresh();
  }

  private turn(pages: number): void {
    this.page += pages;
    this.draw();
  }

  private refresh(): void {
    let rows = Array.from({ length: this.total }, (_, r) => r);
    if (this.kept) rows = rows.filter(this.kept);
    if (this.query) rows = rows.filter((r) => this.names[r]!.includes(this.query));
    if (this.sorted) rows = sort_rows(rows, this.options.columns[this.sorted.column]!.values, this.sorted.descending);
    this.rows = rows;
    this.page = 0;
    this.headers.forEach((header, i) => {
      const here = this.sorted?.column === i;
      header.setAttribute("aria-sort", !here ? "none" : this.sorted!.descending ? "descending" : "ascending");
      header.querySelector(".arrow")!.textContent = !here ? "" : this.sorted!.descending ? " \u25bc" : " \u25b2";
    });
    this.draw();
  }

  private draw(): void {
    const pages = Math.max(1, Math.ceil(this.rows.length / this.size));
    this.page = Math.max(0, Math.min(pages - 1, this.page));
    const first = this.page * this.size;
    const shown = this.rows.slice(first, first + this.size);
    this.body.replaceChildren(...shown.map((r) => this.row(r)));
    const of =
      this.rows.length === this.total
        ? count(this.total)
        : `${count(this.rows.length)} (of ${count(this.total)} in all)`;
    this.status.textContent = shown.length
      ? `${count(first + 1)}\u2013${count(first + shown.length)} of ${of}`
      : `none of ${count(this.total)}`;
    this.previous.disabled = this.page === 0;
    this.next.disabled = this.page >= pages - 1;
  }

  private row(r: number): HTMLTableRowElement {
    const cells = this.options.columns.map((column, i) => {
      const text = cell_text(column, column.values[r] ?? null);
      const shown = text === "" && column.format ? "" : short_name(text, column.longest ?? 40);
      const attributes = { class: is_numeric(column) ? "number" : null, title: shown === text ? null : text };
      return i === 0 && !is_numeric(column)
        ? el("th", { scope: "row", ...attributes }, el("bdi", {}, shown))
        : el("td", attributes, el("bdi", {}, shown));
    });
    return el("tr", { class: this.options.mark?.(r) ?? null }, ...cells);
  }
}

export function data_table(options: TableOptions): DataTable {
  return new PagedTable(options);
}
