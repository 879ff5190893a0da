// Our numbers beside those in print: a row a method, its name above its marks so that a phone has room for both.
import * as Plot from "@observablehq/plot";
import { chart, legend, plot } from "../charts/chart";
import { fit_text } from "../parts/dom";
import { is_number, number, short_name } from "../parts/format";
import type { Printed } from "./reproduce_data";

interface Mark {
  row: number;
  mean: number;
  low: number;
  high: number;
  shift: number; // rows
}

const ours_at = 0.12;
const print_at = 0.3;

function marks_of(part: Printed, which: "ours" | "print"): Mark[] {
  return part.rows.flatMap((row, i) => {
    const [mean, sd] = which === "ours" ? [row.mean, row.sd ?? 0] : (row.print ?? [null, 0]);
    if (!is_number(mean)) return [];
    const shift = which === "ours" ? ours_at : print_at;
    return [{ row: i, mean, low: Math.max(0, mean - sd), high: mean + sd, shift }];
  });
}

function interval(marks: Mark[], color: string, dashed: boolean): Plot.Markish[] {
  const y = (m: Mark): number => m.row + m.shift;
  return [
    Plot.ruleY(marks, {
      y,
      x1: "low",
      x2: "high",
      stroke: color,
      strokeWidth: 2,
      strokeDasharray: dashed ? "4 2" : "none",
    }),
    Plot.dot(marks, {
      y,
      x: "mean",
      r: 4.5,
      symbol: dashed ? "triangle" : "circle",
      fill: color,
      stroke: color,
      strokeWidth: 1.5,
    }),
  ];
}

function draw(part: Printed, width: number): SVGSVGElement {
  const [ours, print] = [marks_of(part, "ours"), marks_of(part, "print")];
  const names = part.rows.map((row, i) => ({ i, text: fit_text(row.name, width - 40, 12) }));
  return plot({
    width,
    height: 46 * part.rows.length + 48,
    marginLeft: 12,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 40,
    x: {
      domain: [0, Math.max(1, ...[...ours, ...print].map((m) => m.high)) * 1.02],
      label: part.x_label,
      labelArrow: "none",
      labelAnchor: "center",
      ticks: width < 500 ? 5 : 10,
      grid: true,
    },
    y: { domain: [-0.45, part.rows.length - 0.45], axis: null, reverse: true },
    marks: [
      Plot.text(names, {
        x: 0,
        y: (n: { i: number }) => n.i - 0.2,
        text: "text",
        textAnchor: "start",
        fontSize: 12,
        dx: 2,
        fill: "currentColor",
        stroke: "var(--page)",
        strokeWidth: 4,
      }),
      ...interval(print, "var(--negative)", true),
      ...interval(ours, "var(--positive)", false),
    ],
  });
}

export function printed_chart(part: Printed): HTMLElement {
  const words = part.rows.map(
    (row) => `${row.name} ${number(row.mean, 3)}${row.print ? ` (in print ${number(row.print[0], 3)})` : ""}`,
  );
  return chart({
    title: short_name(part.title, 160),
    label: `${part.title}: ${words.join("; ")}.`,
    draw: (width) => draw(part, width),
    controls: legend([
      { text: "ours: mean \u00b1 standard deviation", color: "var(--positive)", shape: "circle" },
      { text: "in print", color: "var(--negative)", shape: "triangle" },
    ]),
    table: () => ({
      label: part.title,
      columns: [
        { title: "method", values: part.rows.map((row) => row.name) },
        { title: "ours", values: part.rows.map((row) => row.mean), format: number },
        { title: "standard deviation", values: part.rows.map((row) => row.sd), format: number },
        { title: "in print", values: part.rows.map((row) => row.print?.[0] ?? null), format: number },
        { title: "its standard deviation", values: part.rows.map((row) => row.print?.[1] ?? null), format: number },
      ],
    }),
  }).element;
}
