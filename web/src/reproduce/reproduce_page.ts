// The paper's figures and table beside ours: `cavity reproduce`.
import { el } from "../parts/dom";
import { short_name } from "../parts/format";
import type { Page } from "../parts/page";
import { plain_table, typeset } from "../parts/plain_table";
import { cite, downloads, made } from "../sections/about";
import { section } from "../sections/section";
import { value_bars } from "../charts/value_bars";
import { line_chart } from "./line_chart";
import { printed_chart } from "./printed_chart";
import type { Bars, Csv, Part, ReproduceData } from "./reproduce_data";

/** A panel a series, on one scale. */
function bar_panels(part: Bars): HTMLElement {
  const most = Math.max(1, ...part.series.flatMap((series) => series.height.map((h) => h ?? 0)));
  const panel = (series: Bars["series"][number]): HTMLElement =>
    value_bars({
      title: short_name(series.name, 60),
      label: `${part.title}: ${series.name}.`,
      value_label: part.x_label,
      count_label: part.y_label,
      values: part.categories.map((value, i) => ({ value, count: series.height[i] ?? 0 })),
      most,
    });
  return el(
    "div",
    { class: "panels", role: "group", "aria-label": part.title },
    el("h3", {}, short_name(part.title, 160)),
    el("div", { class: "trio" }, ...part.series.map(panel)),
  );
}

function shown(part: Part, title: string): HTMLElement | null {
  switch (part.kind) {
    case "paragraph":
      return el("p", {}, typeset(part.text));
    case "table":
      return plain_table(`${title}, ${part.head.join(", ")}`, part.head, part.rows);
    case "lines":
      return line_chart(part);
    case "bars":
      return bar_panels(part);
    case "printed":
      return printed_chart(part);
    case "csv":
      return null; // among the downloads
  }
}

function header(data: ReproduceData): HTMLElement {
  return el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity reproduce"),
    el("h1", {}, "The paper, reproduced"),
    el(
      "p",
      { class: "headline" },
      "Figures and tables of Uda and Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier (2005), computed anew, beside what is in print.",
    ),
    data.quick &&
      el("p", { class: "verdict unclear" }, "A quick run: smaller problems and fewer repetitions than in print."),
  );
}

export function reproduce_page(data: ReproduceData): Page {
  const files = data.sections.flatMap((s) =>
    s.parts
      .filter((part): part is Csv => part.kind === "csv")
      .map(({ file, content }) => ({ file, title: short_name(s.title.split(":")[0]!, 40), text: () => content })),
  );
  return {
    title: "cavity: the paper, reproduced",
    header: header(data),
    sections: [
      ...data.sections.map((s, i) =>
        section(
          /^[a-z][a-z0-9]*$/.test(s.name) ? s.name : `section-${i}`,
          short_name(s.title, 160),
          ...s.parts.map((part) => shown(part, s.title)),
        ),
      ),
      downloads(files),
      cite(data.citation),
      made([
        ["cavity", data.version],
        ["command", data.command],
        ["seed", data.seed],
        ["quick run", data.quick ? "yes" : "no"],
      ]),
    ],
  };
}
