// Builds the page from the JSON that stands in it.
import { el } from "./dom";
import { short_name } from "./format";
import { sorted_outcomes } from "./outcomes";
import { read_report } from "./read_report";
import { roc } from "./roc";
import type { ReportData } from "./report_data";
import { about } from "./sections/about";
import { accuracy } from "./sections/accuracy";
import { confidence } from "./sections/confidence";
import { explanation } from "./sections/explanation";
import { features } from "./sections/features";
import { grid } from "./sections/grid";
import { learning_curve } from "./sections/learning_curve";
import { samples } from "./sections/samples";
import { summary } from "./sections/summary";

function contents(sections: HTMLElement[]): HTMLElement {
  const item = (s: HTMLElement): HTMLElement =>
    el("li", {}, el("a", { href: `#${s.id}` }, s.querySelector("h2")!.textContent));
  return el("nav", { "aria-label": "Contents" }, el("ul", {}, ...sections.map(item)));
}

function build(report: ReportData): HTMLElement[] {
  const outcomes = sorted_outcomes(report);
  const curve = roc(
    outcomes.map((o) => o.probability),
    outcomes.map((o) => o.positive),
  );
  const explained = explanation(report);
  const pick = (index: number): void => {
    explained?.pick(index);
    explained?.element.scrollIntoView();
  };
  const sections = [
    confidence(report, outcomes),
    grid(report),
    samples(report, outcomes, pick),
    accuracy(report, outcomes, curve),
    features(report),
    explained?.element ?? null,
    learning_curve(report),
    ...about(report),
  ].filter((part) => part !== null);
  return [summary(report, outcomes, curve?.auc ?? null), contents(sections), el("main", {}, ...sections)];
}

function start(): void {
  try {
    const report = read_report(document.getElementById("report-data")?.textContent ?? "");
    document.title = `cavity report: ${short_name(report.file, 60)}`;
    document.body.append(...build(report));
  } catch (error) {
    console.error(error);
    const text = error instanceof Error ? error.message : String(error);
    document.body.append(
      el("main", {}, el("h1", {}, "No report"), el("p", { role: "alert" }, `This page cannot be shown: ${text}`)),
    );
  }
}

start();
