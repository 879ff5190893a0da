// How far a fit is: a bar, and the words of the command line.
import { el } from "../src/parts/dom";
import { number } from "../src/parts/format";
import type { Progress } from "./protocol";

export interface ProgressView {
  element: HTMLElement;
  start(): void;
  update(progress: Progress): void;
  stop(words: string): void;
}

export function progress_view(cancel: () => void): ProgressView {
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Progress of the fit" });
  const words = el("p", { class: "remark", role: "status" });
  const button = el("button", { type: "button", click: cancel }, "Cancel");
  const running = el("div", { hidden: true }, bar, button);
  let begun = 0;
  return {
    element: el("div", {}, running, words),
    start() {
      begun = performance.now();
      bar.removeAttribute("value");
      words.textContent = "Preparing";
      running.hidden = false;
    },
    update(p) {
      const left = ((performance.now() - begun) / 1000 / p.cell) * (p.cells - p.cell);
      bar.max = p.cells;
      bar.value = p.cell;
      words.textContent =
        p.cell === p.cells
          ? "All cells are solved; weighing them"
          : `Cell ${p.cell} of ${p.cells}: density ${number(p.density, 3)}, noise ${number(p.noise, 3)}; ` +
            `about ${Math.max(1, Math.round(left))} s left`;
    },
    stop(text) {
      running.hidden = true;
      words.textContent = text;
    },
  };
}
