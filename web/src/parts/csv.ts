// RFC 4180, UTF-8, "\n" line ends. Values are written in full: numbers round-trip, names are never shortened.
import { is_number } from "./format";

export type CsvValue = string | number | boolean | null;

export interface CsvColumn {
  name: string;
  values: readonly CsvValue[];
}

/** A text is quoted when it would otherwise be read as something else; what is not a finite number stays empty. */
export function csv_field(value: CsvValue): string {
  if (typeof value === "string") return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replace(/"/g, '""')}"` : value;
  if (typeof value === "boolean") return value ? "true" : "false";
  return is_number(value) ? String(value) : "";
}

export function to_csv(columns: CsvColumn[]): string {
  const rows = Math.max(0, ...columns.map((column) => column.values.length));
  const lines = [columns.map((column) => csv_field(column.name)).join(",")];
  for (let r = 0; r < rows; ++r) lines.push(columns.map((column) => csv_field(column.values[r] ?? null)).join(","));
  return lines.join("\n") + "\n";
}
