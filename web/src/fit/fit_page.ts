// A fit: `cavity fit --report`.
import { base_name, count, short_name } from "../parts/format";
import { grouped_calls } from "../statistics/calls";
import type { Page } from "../parts/page";
import type { ReportData } from "./report_data";
import { cite, csv_downloads, downloads, made, methods, option_facts, type Fact } from "../sections/about";
import { accuracy } from "../sections/accuracy";
import { bent } from "../sections/bent";
import { confidence } from "../sections/confidence";
import { confusion } from "../sections/confusion";
import { covariates } from "../sections/covariates";
import { credible_sets } from "../sections/credible";
import { explanation } from "../sections/explanation";
import { features } from "../sections/features";
import { forecast } from "../sections/forecast";
import { grid } from "../sections/grid";
import { quoted } from "../sections/quoted";
import { samples } from "../sections/samples";
import { stability } from "../sections/stability";
import { summary } from "../sections/summary";
import { all_tables } from "./tables";

function facts(report: ReportData): Fact[] {
  return [
    ["cavity", report.version],
    ...(report.command ? [["command", report.command] as Fact] : []),
    ["file", report.file],
    ["samples", count(report.samples)],
    ["features in the file", count(report.features)],
    ["features in inference", count(report.kept_features)],
    ["classes", report.classes.map((c) => `${c.name} (${count(c.count)})`).join(", ")],
    ["asked for", report.questions.map((q) => q.class).join(", ")],
    ["seed", String(report.seed)],
    ...option_facts(report.options),
  ];
}

export function fit_page(report: ReportData): Page {
  const calls = grouped_calls(report);
  const explained = explanation(report, calls);
  const pick = (index: number, question: number): void => {
    explained?.pick(index, question);
    explained?.element.scrollIntoView();
  };
  const sections = [
    confidence(report, calls),
    quoted(report),
    confusion(report),
    grid(report),
    samples(report, calls, pick),
    accuracy(report),
    features(report),
    bent(report),
    credible_sets(report),
    stability(report),
    covariates(report),
    explained?.element ?? null,
    forecast(report),
    downloads(csv_downloads(all_tables(report))),
    methods(report),
    cite(report.citation),
    made(facts(report)),
  ];
  return {
    title: `cavity report: ${short_name(base_name(report.file), 60)}`,
    header: summary(report, calls),
    sections: sections.filter((part) => part !== null),
  };
}
