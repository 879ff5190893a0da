// Elements from data. Every string becomes a text node or an attribute: nothing here parses HTML.
import { short_name } from "./format";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function set_attributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Attributes that are functions are event listeners: el("button", { click: () => ... }, "Go"). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set_attributes(element, attributes);
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function svg_el<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set_attributes(element, attributes);
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** Width in pixels of a line of chart text. */
export function text_width(text: string, size = 11): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * size * 0.6;
  pen.font = `${size}px system-ui, sans-serif`;
  return pen.measureText(text).width;
}

/** A name for a chart, cut to a width in pixels. */
export function fit_text(text: string, pixels: number, size = 11): string {
  let length = 80;
  let shown = short_name(text, length);
  while (length > 2 && text_width(shown, size) > pixels) {
    length = Math.min(length, Array.from(shown).length) - 1;
    shown = short_name(text, length);
  }
  return shown;
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
