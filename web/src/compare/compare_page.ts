// Methods against each other over random splits: `cavity compare --report`.
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { base_name, count, percent, plural, short_name } from "../parts/format";
import type { Page } from "../parts/page";
import { cite, csv_downloads, downloads, made, option_facts, type Fact } from "../sections/about";
import { section } from "../sections/section";
import { tile } from "../sections/summary";
import { chosen } from "./chosen";
import type { CompareData } from "./compare_data";
import { compare_tables } from "./compare_tables";
import { compare_headline, compare_verdict, duel_sentence, method_name } from "./compare_words";
import { duels } from "./duels";
import { error_histograms } from "./error_histograms";
import { settled } from "./settled";

function header(data: CompareData): HTMLElement {
  const verdict = compare_verdict(data);
  return el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity comparison"),
    el("h1", { title: data.file }, el("bdi", {}, short_name(base_name(data.file), 60))),
    el("p", { class: "headline" }, compare_headline(data)),
    el("p", { class: `verdict ${verdict.standing}` }, verdict.text),
    el("ul", { class: "plain" }, ...data.tests.map((test) => el("li", {}, duel_sentence(test)))),
    el(
      "dl",
      { class: "tiles" },
      ...data.methods.map((row) =>
        tile(
          percent(row.error),
          method_name(row.method),
          `\u00b1 ${percent(row.sd)} over ${plural(row.splits, "split")}`,
        ),
      ),
    ),
  );
}

function method_table(data: CompareData): HTMLElement {
  const of = <K extends "method" | "error" | "sd" | "splits" | "unsettled" | "failed">(key: K) =>
    data.methods.map((row) => row[key]);
  return data_table({
    label: "Mean error of every method",
    columns: [
      { title: "method", values: of("method") },
      { title: "mean error", values: of("error"), format: percent },
      { title: "standard deviation", values: of("sd"), format: percent },
      { title: "splits", values: of("splits"), format: count },
      { title: "unsettled", values: of("unsettled"), format: count, hint: "the chosen cell did not converge" },
      { title: "failed", values: of("failed"), format: count, hint: "no classifier: the commonest class was guessed" },
    ],
  }).element;
}

function facts(data: CompareData): Fact[] {
  return [
    ["cavity", data.version],
    ["command", data.command],
    ["features", count(data.features)],
    ...data.classes.map((c): Fact => [`samples of ${short_name(c.name, 24)}`, count(c.samples)]),
    ...option_facts(data.settings),
  ];
}

export function compare_page(data: CompareData): Page {
  const sections = [
    section("errors", "Who errs less?", error_histograms(data), el("h3", {}, "Mean errors"), method_table(data)),
    duels(data),
    settled(data),
    chosen(data),
    downloads(csv_downloads(compare_tables(data))),
    cite(data.citation),
    made(facts(data)),
  ];
  return {
    title: `cavity comparison: ${short_name(base_name(data.file), 60)}`,
    header: header(data),
    sections: sections.filter((part) => part !== null),
  };
}
