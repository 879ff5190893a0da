// Credible sets: one of several features decides, and the samples cannot tell which.
import { el } from "../parts/dom";
import { class_words, is_number, probability, short_name } from "../parts/format";
import { has_choice } from "../fit/questions";
import { plain_table } from "../parts/plain_table";
import type { CredibleSet, ReportData } from "../fit/report_data";
import { section } from "./section";

const most_sets = 8, // of a class
  most_features = 5;

function members(set: CredibleSet): string {
  const named = set.features
    .slice(0, most_features)
    .map((name, i) => `${short_name(String(name), 14)} (${probability(set.share[i])})`);
  const left = set.features.length - named.length;
  return named.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** How much the mixture of each class rests on models of few features. */
function weight_words(report: ReportData, sets: CredibleSet[]): string {
  const of_class = new Map(sets.map((set) => [set.class, set.weight]));
  const whose = (name: string): string => (has_choice(report) ? ` for ${class_words(name)}` : "");
  return [...of_class]
    .filter(([, weight]) => is_number(weight))
    .map(([name, weight]) => `That so few features decide has a weight of ${probability(weight)} in the mixture${whose(name)}, and the probabilities allow for it. `)
    .join("");
}

export function credible_sets(report: ReportData): HTMLElement | null {
  const sets = report.credible_sets.filter((set) => set.features.length > 0 && is_number(set.probability));
  if (sets.length === 0 || report.permutation.shown === false) return null; // of what chance leaves over there are no sets
  const shown = report.questions.flatMap((q) => sets.filter((set) => set.class === q.class).slice(0, most_sets));
  const classes = has_choice(report);
  return section(
    "credible-sets",
    "Which features can stand in for each other?",
    el(
      "p",
      {},
      "The sparsest models of the mixture keep one to six features, and their places were sampled. A place is filled by one feature at a time; those that take turns in it stand in one line, " +
        "so that a set can be certain where none of its members is. " +
        weight_words(report, sets) +
        "How likely a set is was judged by chains of draws it was not made of. All members are in the JSON of the fit.",
    ),
    plain_table(
      "features that fill one place, and how likely one of them does",
      ["features, each with its probability", ...(classes ? ["for class"] : []), "one of them is kept"],
      shown.map((set) => [members(set), ...(classes ? [set.class] : []), probability(set.probability)]),
    ),
  );
}
