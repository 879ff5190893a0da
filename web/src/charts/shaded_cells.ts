// Rows x columns of numbers, each cell shaded by its size: one colour for each sign, numbers where there is room.
import * as Plot from "@observablehq/plot";
import { plot } from "./chart";
import { fit_text, text_width } from "../parts/dom";
import { is_number, short_name } from "../parts/format";
import type { Num } from "../fit/report_data";

export interface ShadedCells {
  rows: string[];
  columns: string[];
  values: Num[][]; // rows x columns
  most: number; // the size of the strongest colour
  format: (value: number) => string; // short, for a cell
  tip: (row: number, column: number) => string;
}

interface Shade {
  row: number;
  column: number;
  value: number;
}

const strongest = 0.5; // opacity, so that ink reads on it in both themes
const least = 0.01; // of the largest: less is no shade
const row_height = 24;

function shades(cells: ShadedCells): Shade[] {
  return cells.values.flatMap((line, row) =>
    line.flatMap((value, column) => (is_number(value) ? [{ row, column, value }] : [])),
  );
}

export function draw_shaded(cells: ShadedCells, width: number): SVGSVGElement {
  const widest = (names: string[]): number => Math.max(0, ...names.map((name) => text_width(short_name(name))));
  const marginLeft = Math.min(width * 0.34, 12 + widest(cells.rows));
  const marginRight = 12;
  const column = Math.min(96, (width - marginLeft - marginRight) / Math.max(1, cells.columns.length));
  const upright = widest(cells.columns) > column - 4;
  const head = upright ? Math.min(96, widest(cells.columns)) : column - 4;
  const all = shades(cells);
  const room = column - 4 >= Math.max(0, ...all.map((s) => text_width(cells.format(s.value))));
  return plot({
    width: Math.min(width, marginLeft + marginRight + column * cells.columns.length),
    height: 30 + (upright ? head : 0) + row_height * cells.rows.length,
    marginLeft,
    marginRight,
    marginTop: upright ? head + 14 : 24,
    marginBottom: 6,
    x: {
      type: "band",
      domain: cells.columns.map((_, k) => k),
      axis: "top",
      label: null,
      tickSize: 0,
      round: false,
      padding: 0.04,
      tickRotate: upright ? -90 : 0,
      tickFormat: (k: number) => fit_text(cells.columns[k]!, head),
    },
    y: {
      type: "band",
      domain: cells.rows.map((_, l) => l),
      label: null,
      tickSize: 0,
      round: false,
      padding: 0.06,
      tickFormat: (l: number) => fit_text(cells.rows[l]!, marginLeft - 10),
    },
    marks: [
      Plot.cell(all, { x: "column", y: "row", fill: "var(--panel)" }),
      Plot.cell(all.filter((s) => Math.abs(s.value) > least * cells.most), {
        x: "column",
        y: "row",
        fill: (s: Shade) => (s.value < 0 ? "var(--negative)" : "var(--positive)"),
        fillOpacity: (s: Shade) => strongest * Math.min(1, Math.abs(s.value) / (cells.most || 1)),
      }),
      room
        ? Plot.text(all, { x: "column", y: "row", text: (s: Shade) => cells.format(s.value), fill: "currentColor" })
        : null,
      Plot.tip(all, Plot.pointer({ x: "column", y: "row", title: (s: Shade) => cells.tip(s.row, s.column) })),
    ],
    color: { type: "identity" },
    opacity: { type: "identity" },
  });
}
