// Panels and their prices, and the fit of all features below them: `cavity panel --report`.
import { check_report } from "../fit/check_report";
import { fit_page } from "../fit/fit_page";
import { el } from "../parts/dom";
import { base_name, count, percent, short_name } from "../parts/format";
import type { Page } from "../parts/page";
import { cite, csv_downloads, downloads, made, type Fact } from "../sections/about";
import { tile } from "../sections/summary";
import { members } from "./members";
import type { PanelData } from "./panel_data";
import { panel_tables } from "./panel_tables";
import { nats, panel_verdict, signed, size_row } from "./panel_words";
import { price_curve } from "./price_curve";

function header(data: PanelData): HTMLElement {
  const verdict = panel_verdict(data);
  const row = size_row(data, data.size);
  return el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity panel"),
    el("h1", { title: data.file }, el("bdi", {}, short_name(base_name(data.file), 60))),
    el("p", { class: `verdict ${verdict.standing}` }, verdict.text),
    el(
      "dl",
      { class: "tiles" },
      tile(count(data.size), "features in the panel shown", `of ${count(data.features)}`),
      tile(percent(row.error), "its error on samples not seen", `all features: ${percent(data.whole.error)}`),
      tile(nats(row.log_loss), "its log loss", `all features: ${nats(data.whole.log_loss)}`),
      tile(signed(row.log_loss_more), "log loss over the whole", `\u00b1 ${nats(row.log_loss_more_se)}`),
    ),
  );
}

function facts(data: PanelData): Fact[] {
  return [
    ["cavity", data.version],
    ["command", data.command],
    ["file", data.file],
    ["samples", count(data.samples)],
    ["features", count(data.features)],
    ["classes", data.classes.map((c) => `${c.name} (${count(c.count)})`).join(", ")],
    ["panels see", data.transform],
    ["less the mean of", data.normalise.join(", ") || "nothing"],
    ["folds", data.repeats > 1 ? `${data.folds}, dealt ${data.repeats} times` : count(data.folds)],
  ];
}

/** The sections of the whole fit, under a heading of their own; what is said of the page itself stands there once. */
function of_the_fit(data: PanelData): HTMLElement[] {
  if (data.fit === null) return [];
  const page = fit_page(check_report(data.fit));
  const top = page.header;
  top.querySelectorAll("h1").forEach((h) => h.replaceWith(el("p", { class: h.className }, ...h.childNodes)));
  const whole = el(
    "section",
    { id: "whole", "aria-labelledby": "whole-title" },
    el("h2", { id: "whole-title" }, "The fit of all features"),
    el("div", {}, ...top.childNodes),
  );
  return [whole, ...page.sections.filter((s) => !["downloads", "cite", "about"].includes(s.id))];
}

export function panel_page(data: PanelData): Page {
  return {
    title: `cavity panel: ${short_name(base_name(data.file), 60)}`,
    header: header(data),
    sections: [
      price_curve(data),
      members(data),
      ...of_the_fit(data),
      downloads(csv_downloads(panel_tables(data))),
      cite(data.citation),
      made(facts(data)),
    ],
  };
}
