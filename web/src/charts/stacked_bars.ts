// A bar a row, cut into named counts that add up to the same total: wins, ties, losses; settled or not.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "./chart";
import { fit_text, text_width } from "../parts/dom";
import { count, short_name } from "../parts/format";

export interface StackPart {
  name: string;
  color: string;
  ink: string; // of the number in it
}

export interface StackRow {
  name: string;
  counts: number[]; // a part
}

export interface StackedBars {
  title: string;
  label: string;
  caption?: string;
  unit: string; // what is counted: "splits"
  rows_are: string; // heads the names: "method"
  parts: StackPart[];
  rows: StackRow[];
}

interface Piece {
  row: string;
  part: StackPart;
  from: number;
  to: number;
}

function pieces({ rows, parts }: StackedBars): Piece[] {
  return rows.flatMap((row) => {
    let at = 0;
    return parts.map((part, i) => {
      const from = at;
      at += row.counts[i] ?? 0;
      return { row: row.name, part, from, to: at };
    });
  });
}

function draw(options: StackedBars, width: number): SVGSVGElement {
  const all = pieces(options).filter((p) => p.to > p.from);
  const total = Math.max(1, ...all.map((p) => p.to));
  const marginLeft = Math.min(
    width * 0.4,
    14 + Math.max(...options.rows.map((row) => text_width(short_name(row.name)))),
  );
  const pixels = (p: Piece): number => ((p.to - p.from) / total) * (width - marginLeft - 16);
  const size = (p: Piece): string => count(p.to - p.from);
  return plot({
    width,
    height: 34 * options.rows.length + 44,
    marginLeft,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 38,
    x: {
      domain: [0, total],
      label: options.unit,
      ticks: 5,
      tickFormat: "d",
      labelArrow: "none",
      labelAnchor: "center",
    },
    y: {
      domain: options.rows.map((row) => row.name),
      label: null,
      tickSize: 0,
      padding: 0.25,
      tickFormat: (name: string) => fit_text(name, marginLeft - 12),
    },
    color: { type: "identity" },
    marks: [
      Plot.barX(all, {
        y: "row",
        x1: "from",
        x2: "to",
        fill: (p: Piece) => p.part.color,
        stroke: "var(--page)",
        title: (p: Piece) => `${p.row}: ${size(p)} ${p.part.name}`,
      }),
      Plot.text(
        all.filter((p) => pixels(p) > text_width(size(p)) + 6),
        {
          y: "row",
          x: (p: Piece) => (p.from + p.to) / 2,
          text: size,
          fill: (p: Piece) => p.part.ink,
          fontWeight: 600,
        },
      ),
    ],
  });
}

export function stacked_bars(options: StackedBars): HTMLElement {
  return chart({
    title: options.title,
    label: options.label,
    draw: (width) => draw(options, width),
    controls: legend(options.parts.map(({ name, color }) => ({ text: name, color, shape: "square" }))),
    ...(options.caption ? { caption: options.caption } : {}),
    table: () => ({
      label: options.title,
      columns: [
        { title: options.rows_are, values: options.rows.map((row) => row.name) },
        ...options.parts.map((part, i) => ({
          title: part.name,
          values: options.rows.map((row) => row.counts[i] ?? 0),
          format: count,
        })),
      ],
    }),
  }).element;
}
