// The parts of a validation's page.
import { calibration_chart } from "../charts/calibration_chart";
import { roc_chart } from "../charts/roc_chart";
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { class_words, count, is_number, number, percent, plural, probability, short_name } from "../parts/format";
import { plain_table } from "../parts/plain_table";
import { section } from "../sections/section";
import { decision_chart } from "./decision_chart";
import { shift_chart } from "./shift_chart";
import type { ClassFigures, Decision, ValidateData } from "./validate_data";
import { against, figure_words, percent_range } from "./words";

export function findings(data: ValidateData): HTMLElement {
  const list = data.findings.map((finding) =>
    el("li", { class: "warning", "data-finding": finding.name }, el("strong", {}, finding.name), `: ${finding.text}. `, el("em", {}, finding.cure), "."),
  );
  const none = el("p", {}, "Error, frequencies, calibration, columns and features are as the fit has seen and said, as far as these samples can tell.");
  return section("findings", "What differs", list.length ? el("ul", { class: "plain" }, ...list) : none);
}

export function promised(data: ValidateData): HTMLElement {
  const { came, promised: p } = data;
  const plus = (value: { value: number | null; se: number | null }): string => `${number(value.value, 3)} +- ${number(value.se, 2)}`;
  const counts = (of: number[] | undefined): string =>
    of?.length ? of.map((n, k) => `${count(n)} ${short_name(data.classes[k]!, 20)}`).join(", ") : "not known";
  return section(
    "promised",
    "Promised and come",
    plain_table(
      "What was promised and what came",
      ["figure", "came", "promised, left out"],
      [
        ["error", `${percent(came.error.value)} (${percent_range(came.error.interval)})`, p ? `${percent(p.error)} (${percent_range(p.error_interval)})` : "not known"],
        ["log loss", plus(came.log_loss), p ? number(p.log_loss, 3) : "not known"],
        ["Brier score", plus(came.brier), p ? number(p.brier, 3) : "not known"],
        ["samples", counts(came.class_counts), counts(p?.class_counts)],
      ],
    ),
    data.unlabelled > 0 && el("p", { class: "remark" }, `${plural(data.unlabelled, "sample")} without a class of the model are not counted.`),
  );
}

function bins_of({ calibration_curve: bins }: ClassFigures) {
  return {
    samples: bins.map((b) => b.samples),
    hits: bins.map((b) => Math.round(b.samples * b.came)),
    predicted: bins.map((b) => b.stated),
    observed: bins.map((b) => b.came),
    low: bins.map((b) => b.interval[0] ?? 0),
    high: bins.map((b) => b.interval[1] ?? 1),
  };
}

function class_words_of(data: ValidateData, k: number): string {
  const q = data.questions[k]!;
  const rates = is_number(q.auc)
    ? `Sensitivity ${percent(q.sensitivity)} (${percent_range(q.sensitivity_interval)}), specificity ${percent(q.specificity)} (${percent_range(q.specificity_interval)}). `
    : "Sensitivity, specificity and AUC need samples of it and of others. ";
  return (
    rates +
    `Calibration in the large ${figure_words(q.calibration_in_the_large)}: 0 where the class comes as often as stated. ` +
    `Slope ${figure_words(q.calibration_slope)}: below 1 the probabilities are too sure.`
  );
}

function threshold_rows(rows: Decision[]): string[][] {
  return rows.map((r) => [
    percent(r.threshold),
    `${percent(r.sensitivity)} (${percent_range(r.sensitivity_interval)})`,
    `${percent(r.specificity)} (${percent_range(r.specificity_interval)})`,
    percent(r.positive_value),
    percent(r.negative_value),
    number(r.net_benefit, 3),
    number(r.treat_all, 3),
  ]);
}

/** Of one class at a time: calibration, ROC, decision curve, and the thresholds that were asked for. */
export function decisions(data: ValidateData): HTMLElement {
  let shown = 0;
  const now = (): ClassFigures => data.questions[shown]!;
  const name = (): string => class_words(now().name, 16);
  const words = el("p", {}, class_words_of(data, 0));
  const holder = el("div");
  const table = (): void => {
    const head = ["threshold", "sensitivity", "specificity", "PPV", "NPV", "net benefit", "treat all"];
    holder.replaceChildren(plain_table(`Decisions at thresholds, ${against(data, shown)}`, head, threshold_rows(now().thresholds)));
  };
  const charts = [
    calibration_chart(
      () => bins_of(now()),
      () => ({
        title: `Calibration of ${name()}`,
        label: `Calibration plot of the stated probability of ${name()} on the new samples.`,
        caption: "On the dashed line, samples stated at 80 % are of the class 80 % of the time.",
        predicted: `stated probability of ${name()}`,
        observed: `share that came`,
        hits: name(),
      }),
    ),
    roc_chart(
      () => ({
        threshold: now().roc.map((p) => p.threshold),
        false_positive: now().roc.map((p) => p.false_positive),
        true_positive: now().roc.map((p) => p.true_positive),
      }),
      () => {
        const { auc, auc_interval } = now();
        const text = `AUC ${number(auc, 3)}${auc_interval ? ` (${number(auc_interval[0], 3)} to ${number(auc_interval[1], 3)})` : ""}`;
        return {
          title: `ROC curve: ${against(data, shown)}`,
          label: `ROC curve on the new samples, ${against(data, shown)}; ${text}.`,
          caption: "AUC: the chance that a random sample of the class gets a higher probability than a random other one, with its 95 % interval.",
          auc: text,
          table: `Points of the ROC curve, ${against(data, shown)}`,
        };
      },
    ),
    decision_chart(now),
  ];
  table();
  const select = el("select", { "data-question": true }, ...data.questions.map((q, k) => el("option", { value: k }, short_name(q.name, 40))));
  select.addEventListener("change", () => {
    shown = Number(select.value);
    words.textContent = class_words_of(data, shown);
    table();
    for (const figure of charts) figure.refresh();
  });
  return section(
    "decisions",
    "Ranking, calibration, decisions",
    data.questions.length > 1 && el("label", { class: "question" }, "Class, against the rest: ", select),
    words,
    el("div", { class: "trio" }, ...charts.map((figure) => figure.element)),
    holder,
  );
}

export function subgroups(data: ValidateData): HTMLElement | null {
  if (data.by.length === 0) return null;
  const title = data.subgroup ? `By ${short_name(data.subgroup, 40)}` : "By subgroup";
  return section(
    "subgroups",
    title,
    el("p", {}, "Intervals tell a small subgroup from a different one: where they overlap, nothing is shown."),
    data_table({
      label: title,
      columns: [
        { title: data.subgroup || "subgroup", values: data.by.map((s) => s.name) },
        { title: "samples", values: data.by.map((s) => s.samples), format: count },
        ...data.classes.map((name, k) => ({ title: short_name(name, 20), values: data.by.map((s) => s.class_counts[k]!), format: count })),
        { title: "error", values: data.by.map((s) => s.error.value), format: percent },
        { title: "95 % from", values: data.by.map((s) => s.error.interval?.[0] ?? null), format: percent },
        { title: "to", values: data.by.map((s) => s.error.interval?.[1] ?? null), format: percent },
        { title: "log loss", values: data.by.map((s) => s.log_loss.value), format: (v: number) => number(v, 3) },
        { title: "\u00b1", values: data.by.map((s) => s.log_loss.se), format: (v: number) => number(v, 2), hint: "standard error" },
      ],
      page_size: 20,
    }).element,
  );
}

export function drift(data: ValidateData): HTMLElement {
  const title = "Do the samples look like the training ones?";
  const d = data.drift;
  if (!d) return section("drift", title, el("p", {}, "Not known: the model has no training rows."));
  const absent = data.measured.absent.length;
  return section(
    "drift",
    title,
    el(
      "p",
      {},
      `Outside the span of the training samples: ${percent(d.outside)} of a sample's square (training samples, left out: ${percent(d.training_outside)}). ` +
        `Features have moved by ${number(d.shift, 3)} training deviations, where chance gives ${number(d.expected_shift, 3)}. ` +
        (is_number(d.field_shift) ? `Log odds have moved by ${number(d.field_shift, 3)} of their deviations among training samples left out, and are ${number(d.field_spread, 3)} times as spread. ` : "") +
        (d.outliers.length ? `${plural(d.outliers.length, "sample")} farther outside than any training sample: ${d.outliers.slice(0, 5).map((n) => short_name(n, 24)).join(", ")}${d.outliers.length > 5 ? " and others" : ""}.` : "No sample lies farther outside than any training sample did."),
    ),
    absent > 0 && el("p", {}, `${count(absent)} of the model's ${count(data.measured.features)} features have no column; those that are there explain ${percent(data.measured.explained)} of what decides.`),
    d.worst_features.length > 0 && shift_chart(d).element,
  );
}

export function samples(data: ValidateData): HTMLElement {
  const of = data.samples;
  const wrong = (row: number): boolean => of[row]!.truth !== null && of[row]!.truth !== of[row]!.label;
  const columns = [
    { title: "sample", values: of.map((s) => s.sample) },
    { title: "truth", values: of.map((s) => s.truth), format: (v: string | null) => v ?? "not known" },
    { title: "called", values: of.map((s) => s.label) },
    ...data.classes.map((name, k) => ({ title: short_name(name, 20), values: of.map((s) => s.probabilities[k] ?? null), format: probability, hint: `probability of ${short_name(name)}` })),
    { title: "outside", values: of.map((s) => s.outside), format: percent, hint: "share of its square outside the span of the training samples" },
  ];
  return section(
    "samples",
    "Samples",
    data_table({ label: "Samples", columns, search: "find a sample", page_size: 10, mark: (row) => (wrong(row) ? "wrong" : null) }).element,
  );
}
