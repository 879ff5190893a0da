// What a page's data must have: a page with half of it must not look like a whole one.

export class BadReport extends Error {}

export type Loose = Record<string, unknown>;

export function require_fields(object: Loose, where: string, kind: string, names: string[]): void {
  for (const name of names) {
    const value = object[name];
    const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    if (found !== kind) throw new BadReport(`${where}${name} should be of type ${kind}, and is ${found}`);
  }
}

/** All columns of a table must be arrays of one length, which is returned. */
export function table_rows(table: Loose, where: string, columns: string[]): number {
  require_fields(table, `${where}.`, "array", columns);
  const lengths = columns.map((column) => (table[column] as unknown[]).length);
  if (new Set(lengths).size > 1) {
    throw new BadReport(
      `${where}: columns of different lengths (${columns.map((c, i) => `${c} ${lengths[i]}`).join(", ")})`,
    );
  }
  return lengths[0] ?? 0;
}

export function require_object(value: unknown): Loose {
  if (typeof value !== "object" || value === null) throw new BadReport("the report is not a JSON object");
  return value as Loose;
}

/** The JSON that stands in the page. */
export function parse_page_data(text: string): Loose {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadReport(
      "this file holds no results: it is the empty template (write a report with: cavity fit data.csv --report page.html)",
    );
  }
  return require_object(value);
}
