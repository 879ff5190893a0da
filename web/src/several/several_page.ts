// A fit of more than two classes: `cavity fit --report`.
import { base_name, count, short_name } from "../parts/format";
import type { Page } from "../parts/page";
import { cite, csv_downloads, downloads, made, option_facts, type Fact } from "../sections/about";
import { grouped_calls } from "../statistics/calls";
import { called_calibration } from "./called_calibration";
import { class_covariates } from "./class_covariates";
import { class_features } from "./class_features";
import { confusion } from "./confusion";
import { several_confidence } from "./several_confidence";
import type { SeveralData } from "./several_data";
import { several_summary } from "./several_headline";
import { several_tables } from "./several_tables";
import { strips } from "./strips";

function facts(report: SeveralData): Fact[] {
  return [
    ["cavity", report.version],
    ...(report.command ? [["command", report.command] as Fact] : []),
    ["file", report.file],
    ["samples", count(report.samples)],
    ["features in the file", count(report.features)],
    ["features in inference", count(report.kept_features)],
    ["classes", report.classes.map((c) => c.name).join(", ")],
    ["seed", String(report.seed)],
    ...option_facts(report.options),
  ];
}

export function several_page(report: SeveralData): Page {
  const calls = grouped_calls(report);
  const sections = [
    several_confidence(report, calls),
    confusion(report),
    strips(report, calls),
    called_calibration(report, calls),
    class_features(report),
    class_covariates(report),
    downloads(csv_downloads(several_tables(report))),
    cite(report.citation),
    made(facts(report)),
  ];
  return {
    title: `cavity report: ${short_name(base_name(report.file), 60)}`,
    header: several_summary(report, calls),
    sections: sections.filter((part) => part !== null),
  };
}
