// Credible sets: one of several features decides, and the samples cannot tell which.
import { el } from "../parts/dom";
import { is_number, probability, short_name } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import type { CredibleSet, ReportData } from "../fit/report_data";
import { section } from "./section";

const most_sets = 8,
  most_features = 5;

function members(set: CredibleSet): string {
  const named = set.features
    .slice(0, most_features)
    .map((name, i) => `${short_name(String(name), 14)} (${probability(set.share[i])})`);
  const left = set.features.length - named.length;
  return named.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

export function credible_sets(report: ReportData): HTMLElement | null {
  const sets = (report.credible_sets ?? []).filter((set) => set.features.length > 0 && is_number(set.probability));
  if (sets.length === 0) return null;
  const weight = sets[0]?.weight;
  return section(
    "credible-sets",
    "Which features can stand in for each other?",
    el(
      "p",
      {},
      "The sparsest models of the mixture keep one to six features, and their places were sampled. A place is filled by one feature at a time; those that take turns in it stand in one line, " +
        "so that a set can be certain where none of its members is. " +
        (is_number(weight)
          ? `That so few features decide has a weight of ${probability(weight)} in the mixture, and the probabilities allow for it. `
          : "") +
        "How likely a set is was judged by chains of draws it was not made of. All members are in the JSON of the fit.",
    ),
    plain_table(
      "features that fill one place, and how likely one of them does",
      ["features, each with its probability", "one of them is kept"],
      sets.slice(0, most_sets).map((set) => [members(set), probability(set.probability)]),
    ),
  );
}
