// A model on another cohort: `cavity validate --report`.
import { el } from "../parts/dom";
import { base_name, count, number, percent, short_name } from "../parts/format";
import type { Page } from "../parts/page";
import { cite, csv_downloads, downloads, made, type Fact } from "../sections/about";
import { tile } from "../sections/summary";
import { decisions, drift, findings, promised, samples, subgroups } from "./sections";
import type { ValidateData } from "./validate_data";
import { validate_tables } from "./validate_tables";
import { figure_words, percent_range, validate_headline, validate_verdict } from "./words";

function tiles(data: ValidateData): HTMLElement {
  const { came, promised: p } = data;
  const first = data.questions[0]!;
  return el(
    "dl",
    { class: "tiles" },
    tile(percent(came.error.value), "error that came", p ? `promised: ${percent(p.error)}` : "the promise is not known"),
    tile(number(came.log_loss.value, 3), "log loss", p ? `nats a sample; promised: ${number(p.log_loss, 3)}` : "nats a sample"),
    tile(number(first.auc, 3), "area under the ROC", first.auc_interval ? `${number(first.auc_interval[0], 3)} to ${number(first.auc_interval[1], 3)}` : "one class alone came"),
    tile(number(first.calibration_slope.value, 3), "calibration slope", "1: as sure as it should be"),
    tile(count(came.samples), "samples with a label", data.unlabelled > 0 ? `${count(data.unlabelled)} without` : "all of them"),
  );
}

function header(data: ValidateData): HTMLElement {
  const { standing, text } = validate_verdict(data);
  return el(
    "header",
    {},
    el("h1", { class: `verdict ${standing}` }, text),
    el("p", { class: "kicker" }, "cavity validation on ", el("bdi", { title: data.file }, short_name(base_name(data.file), 60))),
    el("p", { class: "headline" }, validate_headline(data)),
    tiles(data),
  );
}

function facts(data: ValidateData): Fact[] {
  return [
    ["cavity", data.version],
    ["command", data.command],
    ["model", data.model],
    ["file", data.file],
    ["classes", data.classes.map((name, k) => `${name} (${count(data.came.class_counts[k])})`).join(", ")],
    ["error", `${percent(data.came.error.value)} (${percent_range(data.came.error.interval)})`],
    ["calibration in the large", figure_words(data.questions[0]!.calibration_in_the_large)],
    ["features of the model", count(data.measured.features)],
    ["without a column", count(data.measured.absent.length)],
  ];
}

export function validate_page(data: ValidateData): Page {
  const sections = [
    findings(data),
    promised(data),
    decisions(data),
    subgroups(data),
    drift(data),
    samples(data),
    downloads(csv_downloads(validate_tables(data))),
    cite(data.citation),
    made(facts(data)),
  ];
  return {
    title: `cavity validation: ${short_name(base_name(data.file), 60)}`,
    header: header(data),
    sections: sections.filter((part) => part !== null),
  };
}
