// The answer: files to keep, and the report itself.
import { el } from "../src/parts/dom";
import { contents } from "../src/parts/page";
import { page_of } from "../src/page_of";
import { section } from "../src/sections/section";
import type { Answer } from "./engine";
import { save_button } from "./files";
import type { Fitted } from "./protocol";

const file_name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function result_of({ value, files }: Answer<Fitted>): { kept: HTMLElement; report: HTMLElement } {
  const page = page_of(value.report);
  const keep = (text: string, path: string): HTMLElement => {
    const name = file_name(path);
    return save_button(text, name, files[name]!);
  };
  const kept = section(
    "app-result",
    "Result",
    value.converged ? null : el("p", { class: "warning" }, "No grid cell converged: do not trust these numbers."),
    el("p", {}, "The report follows below. Nothing is kept when this page is closed: save what you need."),
    el(
      "p",
      { class: "buttons" },
      keep("Save report", value.files.report),
      keep("Save model", value.files.model),
      keep("Save leave-one-out predictions", value.files.predictions),
      keep("Save features", value.files.features),
    ),
  );
  const report = el("article", { id: "app-report", "aria-label": "Report" }, page.header, contents(page.sections));
  report.append(...page.sections);
  return { kept, report };
}
