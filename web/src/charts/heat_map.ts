// Density x noise as coloured cells with their numbers: hover, focus and arrow keys read a cell out.
import * as Plot from "@observablehq/plot";
import { plot } from "./chart";
import { el } from "../parts/dom";
import { count, is_number, number, percent, short_name } from "../parts/format";
import type { Cell, Question } from "../fit/report_data";

export type Measure = "loo_error" | "loo_log_loss";
function cell_text(cell: Cell, measure: Measure): string {
  const value = cell[measure];
  if (cell.status === "not visited") return "";
  if (!cell.usable || !is_number(value)) return "\u00d7";
  return (measure === "loo_error" ? (100 * value).toFixed(1) : value.toFixed(2)) + (cell.reliable ? "" : "?");
}

export function cell_sentence(cell: Cell): string {
  const doubt = cell.usable && !cell.reliable ? ", leave-one-out doubtful" : "";
  return (
    `Density ${number(cell.density)}, noise ${number(cell.noise)}${cell.width ? `, width ${number(cell.width)}` : ""}: leave-one-out error ${percent(cell.loo_error)}, ` +
    `log loss ${number(cell.loo_log_loss)}, log evidence ${number(cell.log_evidence)}, mixture weight ${number(cell.weight)}; ` +
    `${short_name(cell.status, 60)} after ${count(cell.iterations)} iterations (residual ${number(cell.residual, 2)})${doubt}.`
  );
}

/** Black or white, whichever reads better on rgb(r, g, b). */
export function ink_on(color: string): string {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (c: number): number => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179 ? "#000" : "#fff";
}

const distinct = (values: number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const order = (a: Cell, b: Cell): number => a.noise - b.noise || a.width - b.width;
/** A column of the grid: the noise, and the width where there is one; both as the densest row has them. */
const column_name = (cell: Cell): string => number(cell.noise, 3) + (cell.width ? ` / ${number(cell.width, 3)}` : "");

function color_domain(grid: Cell[], measure: Measure): [number, number] {
  const values = grid
    .filter((cell) => cell.usable)
    .map((cell) => cell[measure])
    .filter(is_number);
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  return [low, Math.max(...values, low + 1e-9)];
}

export class HeatMap {
  measure: Measure = "loo_error";
  readonly readout = el("p", { class: "readout", "aria-live": "polite" });
  readonly scale_bar = el("div", { class: "scale-bar" });
  private grid: Cell[] = [];
  private chosen = 0;
  private densities: number[] = [];
  private columns: string[] = [];
  private column_of = new Map<Cell, string>();

  constructor(question: Question) {
    this.use(question);
  }

  use({ grid, chosen }: Question): void {
    [this.grid, this.chosen] = [grid, chosen];
    this.densities = distinct(grid.map((cell) => cell.density));
    const across = Math.max(1, Math.round(grid.length / this.densities.length));
    const heads = grid.slice(0, across);
    this.column_of = new Map(grid.map((cell, i) => [cell, column_name(heads[i % across] ?? cell)]));
    this.columns = [...new Set([...heads].sort(order).map(column_name))];
    this.show(chosen);
  }

  draw(width: number): SVGSVGElement {
    const { grid } = this;
    const columns = this.columns.length;
    const used = Math.min(width, 70 + columns * 96);
    const cell_width = (used - 70) / Math.max(1, columns);
    const svg = plot({
      width: used,
      height: 60 + this.densities.length * 36,
      marginLeft: 58,
      marginRight: 12,
      marginTop: 24,
      marginBottom: 36,
      x: {
        type: "band",
        domain: this.columns,
        padding: 0.04,
        label: grid.some((cell) => cell.width) ? "noise / width" : "noise",
        tickSize: 0,
        labelAnchor: "center",
        labelArrow: "none",
      },
      y: {
        type: "band",
        domain: this.densities,
        reverse: true,
        padding: 0.06,
        label: "density",
        tickFormat: (v: number) => number(v, 3),
        tickSize: 0,
        labelArrow: "none",
        labelAnchor: "top",
      },
      color: { type: "linear", scheme: "cividis", domain: color_domain(grid, this.measure), unknown: "var(--empty)" },
      marks: [
        Plot.cell(grid, {
          x: (cell: Cell) => this.column_of.get(cell),
          y: "density",
          fill: (cell: Cell) => (cell.usable ? (cell[this.measure] ?? NaN) : NaN),
        }),
      ],
    });
    this.decorate(svg, cell_width);
    return svg;
  }

  show(index: number): void {
    const cell = this.grid[index];
    if (!cell) return;
    this.readout.replaceChildren(
      el("strong", {}, index === this.chosen ? "Chosen cell. " : ""),
      cell_sentence(cell),
    );
  }

  /** Numbers in the cells, names for assistive technology, one tab stop with arrow keys between cells. */
  private decorate(svg: SVGSVGElement, cell_width: number): void {
    const color = svg as unknown as { scale(name: "color"): { apply(v: number): string } | undefined };
    const paint = (v: number): string => color.scale("color")?.apply(v) ?? "none";
    const rects = [...svg.querySelectorAll<SVGRectElement>('[data-layer="cell"] rect')];
    rects.forEach((rect, i) => {
      const cell = this.grid[i]!;
      rect.setAttribute("role", "img");
      rect.setAttribute("aria-label", (i === this.chosen ? "Chosen cell. " : "") + cell_sentence(cell));
      rect.setAttribute("tabindex", i === this.chosen ? "0" : "-1");
      rect.dataset["cell"] = String(i);
      for (const event of ["pointerenter", "focus", "click"]) rect.addEventListener(event, () => this.show(i));
      rect.addEventListener("keydown", (event) => this.step(event, rects, i));
      if (i === this.chosen) rect.classList.add("chosen");
      if (cell_width >= 26) svg.append(this.number_in(rect, cell, paint));
    });
    svg.addEventListener("pointerleave", () => this.show(this.chosen));
    this.mark_chosen(svg, rects[this.chosen]);
    this.draw_scale(paint);
  }

  private number_in(rect: SVGRectElement, cell: Cell, paint: (v: number) => string): SVGTextElement {
    const at = (name: string): number => Number(rect.getAttribute(name));
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    const value = cell[this.measure];
    text.setAttribute("x", String(at("x") + at("width") / 2));
    text.setAttribute("y", String(at("y") + at("height") / 2));
    text.setAttribute("class", "in-cell");
    text.setAttribute("aria-hidden", "true");
    text.setAttribute("fill", cell.usable && is_number(value) ? ink_on(paint(value)) : "currentColor");
    text.textContent = cell_text(cell, this.measure);
    return text;
  }

  /** A light line inside a dark one shows on every colour and in both themes. */
  private mark_chosen(svg: SVGSVGElement, rect: SVGRectElement | undefined): void {
    if (!rect) return;
    for (const [grow, color, stroke] of [
      [1, "#000", 3],
      [-1.5, "#fff", 2],
    ] as const) {
      const outline = rect.cloneNode() as SVGRectElement;
      for (const name of ["tabindex", "role", "aria-label", "data-cell", "class"]) outline.removeAttribute(name);
      for (const [name, sign] of [
        ["x", -1],
        ["y", -1],
        ["width", 2],
        ["height", 2],
      ] as const) {
        outline.setAttribute(name, String(Number(rect.getAttribute(name)) + sign * grow));
      }
      outline.setAttribute("style", `fill:none;stroke:${color};stroke-width:${stroke};pointer-events:none`);
      svg.append(outline);
    }
  }

  private step(event: KeyboardEvent, rects: SVGRectElement[], from: number): void {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!move) return;
    event.preventDefault();
    const cell = this.grid[from]!;
    const column = this.columns[this.columns.indexOf(this.column_of.get(cell)!) + move[0]!];
    const density = this.densities[this.densities.indexOf(cell.density) + move[1]!];
    const to = this.grid.findIndex((c) => this.column_of.get(c) === column && c.density === density);
    if (to < 0) return;
    rects[from]!.setAttribute("tabindex", "-1");
    rects[to]!.setAttribute("tabindex", "0");
    rects[to]!.focus();
  }

  private draw_scale(paint: (v: number) => string): void {
    const [low, high] = color_domain(this.grid, this.measure);
    if (high - low < 1e-6) return this.scale_bar.replaceChildren();
    const stops = Array.from({ length: 9 }, (_, i) => paint(low + ((high - low) * i) / 8));
    const format = this.measure === "loo_error" ? percent : number;
    const bar = el("span", { class: "bar" });
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    this.scale_bar.replaceChildren(el("span", {}, `${format(low)} (best)`), bar, el("span", {}, format(high)));
  }
}
