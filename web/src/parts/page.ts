// The frame every page has: its title, a header, a table of contents, sections.
import { el } from "./dom";

export interface Page {
  title: string; // of the window
  header: HTMLElement;
  sections: HTMLElement[]; // each with an id and an h2
}

export function contents(sections: HTMLElement[]): HTMLElement {
  const item = (s: HTMLElement): HTMLElement =>
    el("li", {}, el("a", { href: `#${s.id}` }, s.querySelector("h2")!.textContent));
  return el("nav", { "aria-label": "Contents" }, el("ul", {}, ...sections.map(item)));
}

export function show(page: Page): void {
  document.title = page.title;
  document.body.append(page.header, contents(page.sections), el("main", {}, ...page.sections));
}
