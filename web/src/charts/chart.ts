// A figure: a chart that follows its width, a caption, and the numbers behind it in a table under it.
import * as Plot from "@observablehq/plot";
import { data_table, type TableOptions } from "../parts/data_table";
import { el, svg_el, text_width } from "../parts/dom";
import { place_labels, type Dot, type LabelRequest } from "./label_placement";

export type Drawing = SVGSVGElement | HTMLElement;

/** A function where they change with what is shown: `refresh` asks again. */
type Words = string | (() => string);
const said = (words: Words): string => (typeof words === "function" ? words() : words);

export interface ChartOptions {
  title: Words;
  label: Words; // for those who cannot see it: what is drawn and what it shows
  draw: (width: number) => Drawing;
  caption?: string;
  controls?: Node; // between title and chart
  below?: Node; // between chart and caption
  table: () => TableOptions; // built when the reader opens it
  interactive?: boolean; // has focusable parts: a group, not an image
}

export interface Chart {
  element: HTMLElement;
  redraw(): void;
  refresh(): void; // title and table too: other numbers, not another look
}

/** Built when first opened; `refresh` builds it anew when its numbers have changed. */
function lazy_table(table: () => TableOptions): { element: HTMLElement; refresh: () => void } {
  const holder = el("div");
  const element = el("details", { class: "numbers" }, el("summary", {}, "Data table"), holder);
  const build = (): void => holder.replaceChildren(data_table(table()).element);
  element.addEventListener("toggle", () => holder.hasChildNodes() || build());
  return { element, refresh: () => (element.open ? build() : holder.replaceChildren()) };
}

export function chart(options: ChartOptions): Chart {
  const holder = el("div", { class: "chart" });
  let width = 0;
  let due = false;
  const draw = (): void => {
    due = false;
    if (width <= 0) return;
    const drawing = options.draw(width);
    drawing.setAttribute("role", options.interactive ? "group" : "img");
    drawing.setAttribute("aria-label", said(options.label));
    holder.replaceChildren(drawing);
  };
  const redraw = (): void => {
    if (!due) requestAnimationFrame(draw);
    due = true;
  };
  new ResizeObserver(() => {
    const now = Math.floor(holder.clientWidth);
    if (now === width) return;
    const first = width === 0;
    width = now;
    if (first) draw();
    else redraw();
  }).observe(holder);
  const numbers = lazy_table(options.table);
  const title = el("h3", {}, said(options.title));
  const refresh = (): void => {
    title.textContent = said(options.title);
    numbers.refresh();
    redraw();
  };
  const element = el(
    "figure",
    {},
    title,
    options.controls,
    holder,
    options.below,
    options.caption && el("figcaption", {}, options.caption),
    numbers.element,
  );
  return { element, redraw, refresh };
}

/** Plot.plot with the look all charts share. */
export function plot(options: Plot.PlotOptions): SVGSVGElement {
  const style = {
    fontSize: "11px",
    fontFamily: "system-ui, sans-serif",
    background: "transparent",
    overflow: "visible",
  };
  const svg = Plot.plot({ ...options, style }) as SVGSVGElement;
  // Plot names its layers with aria-label, which ARIA forbids on a plain group; the chart as a whole has its name.
  for (const layer of svg.querySelectorAll("g[aria-label]")) {
    layer.setAttribute("data-layer", layer.getAttribute("aria-label")!);
    layer.removeAttribute("aria-label");
  }
  return svg;
}

export interface Inset {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Writes names beside dots where there is room, under the last layer (the tooltip). */
export function add_labels(svg: SVGSVGElement, labels: LabelRequest[], dots: Dot[], frame: Inset): void {
  const placed = place_labels(labels, dots, frame, text_width);
  const texts = placed.map((p) => svg_el("text", { x: p.left, y: p.baseline }, p.text));
  svg.insertBefore(svg_el("g", { class: "labels", "aria-hidden": "true" }, ...texts), svg.lastElementChild);
}

export interface LegendEntry {
  text: string;
  color: string;
  shape: "circle" | "triangle" | "square" | "diamond" | "line" | "hollow" | "outline";
  dash?: string; // of a line, as stroke-dasharray
}

const shapes: Record<LegendEntry["shape"], string> = {
  circle: "M1.5,6a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0",
  hollow: "M1.5,6a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0",
  triangle: "M6,1L11,10.5L1,10.5Z",
  square: "M1,1H11V11H1Z",
  diamond: "M6,0L11,6L6,12L1,6Z",
  outline: "M1,1H11V11H1Z",
  line: "M0,5H12V7H0Z",
};

export function legend(entries: LegendEntry[]): HTMLElement {
  const item = (entry: LegendEntry): HTMLElement => {
    const hollow = entry.shape === "hollow" || entry.shape === "outline";
    const stroke = `fill:none;stroke:${entry.color}`;
    const width = entry.dash ? 28 : 12;
    const mark = entry.dash
      ? svg_el("path", { d: `M0,6H${width}`, style: `${stroke};stroke-width:2;stroke-dasharray:${entry.dash}` })
      : svg_el("path", {
          d: shapes[entry.shape],
          style: hollow ? `${stroke};stroke-width:1.5` : `fill:${entry.color}`,
        });
    return el(
      "li",
      {},
      svg_el("svg", { width, height: 12, viewBox: `0 0 ${width} 12`, "aria-hidden": "true" }, mark),
      entry.text,
    );
  };
  return el("ul", { class: "legend" }, ...entries.map(item));
}
