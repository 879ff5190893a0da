// A fit: `cavity fit --report`.
import { base_name, count, short_name } from "../parts/format";
import { sorted_outcomes } from "../statistics/outcomes";
import type { Page } from "../parts/page";
import { roc } from "../statistics/roc";
import type { ReportData } from "./report_data";
import { cite, csv_downloads, downloads, made, option_facts, type Fact } from "../sections/about";
import { accuracy } from "../sections/accuracy";
import { confidence } from "../sections/confidence";
import { credible_sets } from "../sections/credible";
import { explanation } from "../sections/explanation";
import { features } from "../sections/features";
import { grid } from "../sections/grid";
import { learning_curve } from "../sections/learning_curve";
import { covariates, quoted } from "../sections/quoted";
import { samples } from "../sections/samples";
import { stability } from "../sections/stability";
import { summary } from "../sections/summary";
import { all_tables } from "./tables";

function facts(report: ReportData): Fact[] {
  const optional = (name: string, value: string | undefined): Fact[] => (value ? [[name, value]] : []);
  return [
    ["cavity", report.version],
    ...optional("written", report.created),
    ...optional("command", report.command),
    ["file", report.file],
    ["samples", count(report.samples)],
    ["features in the file", count(report.features)],
    ["features in inference", count(report.kept_features)],
    ["positive class", report.positive],
    ["negative class", report.negative],
    ["seed", String(report.seed)],
    ...option_facts(report.options),
  ];
}

export function fit_page(report: ReportData): Page {
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
    quoted(report),
    grid(report),
    samples(report, outcomes, pick),
    accuracy(report, outcomes, curve),
    features(report),
    credible_sets(report),
    stability(report),
    covariates(report),
    explained?.element ?? null,
    learning_curve(report),
    downloads(csv_downloads(all_tables(report))),
    cite(report.citation),
    made(facts(report)),
  ];
  return {
    title: `cavity report: ${short_name(base_name(report.file), 60)}`,
    header: summary(report, outcomes, curve?.auc ?? null),
    sections: sections.filter((part) => part !== null),
  };
}
