// Reports that look like real ones, without a fit: a seeded generator for the tests and for looking at the page.
import type {
  BentFeature,
  BentOwed,
  Boundary,
  Cell,
  Contributions,
  FeatureTable,
  Num,
  Question,
  ReportData,
  SampleTable,
} from "../src/fit/report_data";
import { called_class, confusion_of, drawn_of, figures_of, guessing_of, wilson, type Judged } from "./make_judged";
import { hostile, range, Stream } from "./random";

export const kinds = ["colon", "demo", "stress", "malicious", "bare", "tumours", "malicious-many", "many"] as const;
export type Kind = (typeof kinds)[number];

interface Shape {
  file: string;
  classes: [name: string, samples: number][]; // of two the second is asked for
  features: number;
  separation: number; // of the classes, in standard deviations of the field
  relevant: number;
}

const shapes = {
  colon: { file: "colon.csv.gz", classes: [["n", 22], ["t", 40]], features: 2000, separation: 2.4, relevant: 14 },
  demo: { file: "demo.csv", classes: [["0", 97], ["1", 103]], features: 500, separation: 3, relevant: 25 },
  stress: {
    file: "cohort.csv.zst",
    classes: [["control", 620], ["case", 380]],
    features: 20_000,
    separation: 2.6,
    relevant: 60,
  },
  tumours: {
    file: "data/tumours.csv.gz",
    classes: [["BL", 11], ["EWS", 29], ["NB", 18], ["RMS", 25]],
    features: 2308,
    separation: 3,
    relevant: 30,
  },
  many: {
    file: "species.csv",
    classes: range(50).map((k): [string, number] => [`species ${k + 1}`, 40]),
    features: 300,
    separation: 4,
    relevant: 60,
  },
} satisfies Record<string, Shape>;

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** The class of each question. */
const asked_of = ({ classes }: Shape): number[] => (classes.length === 2 ? [1] : range(classes.length));

function judge(shape: Shape, random: Stream): Judged {
  const truth = shape.classes.flatMap(([, size], k) => range(size).map(() => k));
  const probability = truth.map((k) => {
    const fields = shape.classes.map((_, j) => Math.exp(1.2 * random.normal() + (j === k ? shape.separation : 0)));
    const sum = fields.reduce((a, b) => a + b, 0);
    return fields.map((f) => f / sum);
  });
  return { names: shape.classes.map(([name]) => name), truth, probability, asked: asked_of(shape) };
}

function make_samples(judged: Judged, random: Stream): SampleTable {
  const { names, truth, probability } = judged;
  return {
    name: truth.map((k, i) => `${names[k]!.slice(0, 1).toUpperCase()}${i + 1}`),
    label: truth.map((k) => names[k]!),
    called: probability.map((row) => names[called_class(row)]!),
    loo_probability: probability,
    reliable: truth.map(() => random.uniform() > 0.03),
  };
}

function make_features(shape: Shape, random: Stream): FeatureTable {
  const asked = asked_of(shape);
  const rows = range(shape.features).map((i) => {
    const strong = i < shape.relevant ? i % asked.length : -1;
    const inclusion = asked.map((_, q) =>
      logistic(q === strong ? 4 * random.normal() + 1.5 : -4.5 + 0.9 * random.normal()),
    );
    return {
      name: `GENE${1 + Math.floor(random.uniform() * 90_000)}_${i}`,
      inclusion,
      weight: inclusion.map((rho) => (random.uniform() < 0.5 ? -1 : 1) * rho * (0.5 + Math.abs(random.normal()))),
      most: Math.max(...inclusion),
      group: i % 23 === 5 && strong >= 0 ? Math.floor(i / 46) : -1,
    };
  });
  const top = rows.sort((a, b) => b.most - a.most).slice(0, Math.min(5000, 60_000 / asked.length));
  let expected_false = 0;
  return {
    name: top.map((r) => r.name),
    inclusion: top.map((r) => r.most),
    class: top.map((r) => shape.classes[asked[r.inclusion.indexOf(r.most)]!]![0]),
    group: top.map((r) => r.group),
    expected_false: top.map((r) => (expected_false += 1 - r.most)),
    class_inclusion: top.map((r) => r.inclusion),
    class_weight: top.map((r) => r.weight),
    class_sd: top.map((r) => r.inclusion.map((rho) => 0.05 + 0.3 * Math.sqrt(rho * (1 - rho)))),
    class_difference: top.map((r) => r.weight.map((w) => 0.4 * w)),
    class_t: top.map((r) => r.weight.map((w) => 3 * w)),
    class_q: top.map((r) => r.weight.map((w) => Math.exp(-3 * Math.abs(w)))),
  };
}

function make_grid(samples: number, random: Stream): Cell[] {
  const cells: Cell[] = [];
  for (const density of [0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3]) {
    for (const [column, noise] of [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3].entries()) {
      if (density === 0.3 && noise >= 0.2) continue; // not on the way to the best
      const far = Math.hypot(Math.log(density / 0.01) / 2.2, (noise - 0.1) * 6);
      const usable = !(density >= 0.3 && noise <= 0.02);
      cells.push({
        density,
        noise,
        width: 0.2,
        column,
        kept: 2000 * density,
        solver: "ep",
        converged: usable,
        status: usable ? "converged" : "iteration limit",
        usable,
        reliable: !(noise === 0 && density < 0.01),
        by_folds: false,
        iterations: Math.round(30 + 300 * random.uniform()),
        residual: usable ? 1e-7 * (1 + 8 * random.uniform()) : 0.013,
        loo_error: usable ? Math.round(samples * (0.145 + 0.06 * far + 0.02 * random.uniform())) / samples : null,
        loo_log_loss: usable ? 0.36 + 0.12 * far : null,
        log_evidence: usable ? -31 - 5 * far : null,
        weight: usable ? Math.exp(-5 * far) : 0,
      });
    }
  }
  const total = cells.reduce((sum, c) => sum + (c.weight ?? 0), 0);
  for (const cell of cells) cell.weight = (cell.weight ?? 0) / total;
  return cells;
}

/** Two features that act together inside a bent boundary, and one whose effect nobody asked for. */
function make_boundary(): Boundary {
  const value = [-2, -1, 0, 1, 2];
  const effect = (shift: number): BentFeature["effect"] => ({
    value,
    probability: value.map((v) => 0.5 + shift * v),
    low: value.map((v) => 0.3 + shift * v),
    high: value.map((v) => 0.7 + shift * v),
  });
  return {
    share: 0.62,
    relevant: [
      { name: "GENE7", relevance: 0.48, effect: effect(0.1) },
      { name: "GENE12", relevance: 0.41, effect: effect(0) },
      { name: "GENE3", relevance: 0.01, effect: null },
    ],
    pairs: [
      { first: "GENE7", second: "GENE12", strength: 1.31, first_value: [-1, 0, 1], second_value: [-1, 0, 1], probability: [[0.1, 0.5, 0.9], [0.5, 0.5, 0.5], [0.9, 0.5, 0.12]] },
      { first: "GENE7", second: "GENE3", strength: 0.05, first_value: [-1, 0, 1], second_value: [-1, 0, 1], probability: [[0.4, 0.4, 0.4], [0.5, 0.5, 0.5], [0.6, 0.6, 0.6]] },
    ],
  };
}

function make_question(judged: Judged, k: number, random: Stream): Question {
  const grid = make_grid(judged.truth.length, random);
  const figures = figures_of(judged, k);
  return {
    class: judged.names[k]!,
    solver: "ep",
    solver_reason: "automatic: the features are correlated",
    grid,
    chosen: grid.reduce((best, c, i) => ((c.weight ?? 0) > (grid[best]!.weight ?? 0) ? i : best), 0),
    ...figures,
    train_error: (figures.loo_error ?? 0) / 3,
    expected_relevant_interval: [3, 25 + k],
    hypotheses: [
      { kept: 0, prior: 0.667, posterior: 0.002 },
      { kept: 3, prior: 0.2, posterior: 0.3 },
      { kept: 25 + (k % 2), prior: 0.133, posterior: 0.698 },
    ],
    covariates: [
      { name: "age", category: "", reference: "", weight: 0.1 * random.normal(), sd: 0.02 },
      { name: "sex", category: "male", reference: "female", weight: -0.31, sd: 0.28 },
    ],
    boundary: k === judged.asked[0] ? make_boundary() : { share: 0, relevant: [], pairs: [] },
    loo_check: { refits: 5, samples: 5, failed: 1, changed_labels: 0, largest_difference: 0.021, mean_difference: 0.004 },
  };
}

function make_contributions(features: FeatureTable, judged: Judged, question: number, random: Stream): Contributions {
  const listed = Math.min(50, features.name.length, Math.max(5, Math.floor(200_000 / judged.truth.length / judged.asked.length)));
  const weight = (i: number): number => features.class_weight[i]![question] ?? 0;
  return {
    features: features.name.slice(0, listed),
    values: judged.truth.map((k) =>
      range(listed).map(
        (i) =>
          weight(i) * 0.4 * (random.normal() + (k === judged.asked[question] ? 0.7 : -0.7) * Math.sign(weight(i))),
      ),
    ),
    rest: judged.truth.map(() => 0.2 * random.normal()),
    intercept: 0.31,
    bent: question === 0 ? make_owed(judged, question) : null,
  };
}

function make_owed(judged: Judged, question: number): BentOwed {
  return {
    features: ["GENE7", "GENE12"],
    probability: judged.truth.map((k) => (k === judged.asked[question] ? 0.9 : 0.1)),
    without: judged.truth.map((k) => (k === judged.asked[question] ? [0.62, 0.95] : [0.34, 0.1])),
  };
}

function sum_of(values: Num[]): number {
  return values.reduce<number>((sum, v) => sum + (v ?? 0), 0);
}

function make_report(shape: Shape, seed: number): ReportData {
  const random = new Stream(seed);
  const judged = judge(shape, random);
  const confusion = confusion_of(judged);
  const feature_table = make_features(shape, random);
  const samples = judged.truth.length;
  const wrong = samples - confusion.reduce((sum, row, k) => sum + row[k]!, 0);
  const error = wrong / samples;
  const guessing = guessing_of(judged);
  const two = shape.classes.length === 2;
  return {
    kind: "fit",
    version: "0.1.0",
    command: `cavity fit ${shape.file} --report report.html`,
    seed: 1,
    options: {
      solver: "auto",
      activation: "step",
      selection: "stack",
      transform: "none",
      unit_variance: true,
      whiten: false,
      intercept: true,
      tolerance: 1e-6,
    },
    file: shape.file,
    samples,
    features: shape.features,
    kept_features: shape.features - 3,
    classes: shape.classes.map(([name, count]) => ({ name, count })),
    solver: "ep",
    solver_reason: "automatic: the features are correlated",
    permutation: { shown: true, p: 0.002, p_together: 0.14, p_strongest: 0.001, permutations: 999, why_none: null },
    sample_groups: 0,
    loo_error: error,
    loo_error_se: Math.sqrt((error * (1 - error)) / samples),
    loo_error_interval: wilson(wrong, samples),
    loo_log_loss: -sum_of(judged.probability.map((row, i) => Math.log(row[judged.truth[i]!]!))) / samples,
    choice_optimism: two ? { error: 0.01, log_loss: 0.012 } : null,
    balanced_accuracy: sum_of(confusion.map((row, k) => row[k]! / shape.classes[k]![1])) / shape.classes.length,
    brier:
      sum_of(judged.probability.map((row, i) => sum_of(row.map((p, k) => (p - (k === judged.truth[i] ? 1 : 0)) ** 2)))) /
      (2 * samples),
    confusion,
    class_prior: null,
    baseline_error: guessing.error,
    guessing,
    calibration: {
      recalibrated: two,
      temperature: two ? null : 1.2,
      offset: two ? null : shape.classes.map((_, k) => 0.1 * k),
      coupling: null,
      together: two ? null : { share: 0.4, precision: 2 },
    },
    expected_relevant: sum_of(feature_table.inclusion) + (shape.features - feature_table.name.length) * 0.004,
    credible_sets: [],
    covariates_alone: {
      loo_error: 0.34,
      loo_log_loss: 0.64,
      error_gain: 0.22,
      error_gain_se: 0.06,
      log_loss_gain: 0.25,
      log_loss_gain_se: 0.07,
    },
    questions: judged.asked.map((k) => make_question(judged, k, random)),
    contributions: judged.asked.map((_, q) => make_contributions(feature_table, judged, q, random)),
    drawn: drawn_of(judged),
    forecast: {
      points: [0.25, 0.5, 0.75, 1, 1.5, 2].map((times) => {
        const at = error * times ** -0.3;
        return { samples: Math.round(times * samples), error: at, interval: [0.7 * at, 1.4 * at] };
      }),
      why_none: null,
    },
    methods: `A sparse Bayesian classifier was fitted to ${samples} samples; leave-one-out error ${(100 * error).toFixed(1)} %.`,
    warnings: [
      {
        name: "not-converged",
        text: "2 of 47 grid cells did not converge within 500 iterations; they take no part in the choice.",
        cure: "raise --max-iterations, or leave density 0.3 with low noise out of the grid.",
      },
    ],
    notes: ["CSV with a header; label column: class", "3 constant features dropped", "12 missing values replaced by their feature's mean"],
    sample_table: make_samples(judged, random),
    feature_table,
    feature_total: shape.features,
    citation: {
      text: "S. Uda and Y. Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier, J. Phys. Soc. Jpn. 74 (2005) 2233.",
      bibtex:
        "@article{uda2005sparse,\n  author  = {Uda, Shinsuke and Kabashima, Yoshiyuki},\n  title   = {Statistical Mechanical Development of a Sparse {B}ayesian Classifier},\n  journal = {J. Phys. Soc. Jpn.},\n  volume  = {74},\n  pages   = {2233},\n  year    = {2005}\n}",
    },
  };
}

/** Hostile names wherever there is one, and numbers that are missing. */
function make_malicious(shape: Shape): ReportData {
  const report = make_report(shape, 7);
  hostile.forEach((name, i) => {
    report.feature_table.name[i] = name;
    report.sample_table.name[i] = name;
    report.contributions[0]!.features[i] = name;
  });
  report.feature_table.class_weight[3]![0] = null;
  report.feature_table.inclusion[4] = null;
  report.sample_table.loo_probability[5]![0] = null;
  report.questions[0]!.grid[8]!.log_evidence = null;
  report.loo_log_loss = null;
  report.file = hostile[0]!;
  report.command = hostile[1]!;
  report.notes.push(hostile[1]!);
  report.warnings.push({ name: hostile[1]!, text: hostile[0]!, cure: hostile[3]! });
  report.options["<script>"] = hostile[0]!;
  report.citation.text = hostile[1]!;
  report.methods = hostile[0]!;
  return report;
}

/** The least a fit can give: one cell, no test, no probabilities, no optional part. */
function make_bare(): ReportData {
  const report = make_report(
    { file: "bare.csv", classes: [["0", 4], ["1", 4]], features: 3, separation: 1, relevant: 0 },
    5,
  );
  const { command: _command, ...rest } = report;
  const empty = { samples: [], hits: [], predicted: [], observed: [], low: [], high: [] };
  const roc = { threshold: [], false_positive: [], true_positive: [] };
  const none = { loo_error: null, loo_log_loss: null, sensitivity: null, sensitivity_interval: null };
  const neither = { specificity: null, specificity_interval: null, auc: null, auc_interval: null, loo_check: null };
  return {
    ...rest,
    permutation: { shown: null, p: null, p_together: null, p_strongest: null, permutations: 0, why_none: "too few samples" },
    loo_error_interval: null,
    loo_log_loss: null,
    choice_optimism: null,
    balanced_accuracy: null,
    brier: null,
    confusion: null,
    guessing: null,
    covariates_alone: null,
    sample_table: { ...rest.sample_table, called: [], loo_probability: [], reliable: [] },
    questions: rest.questions.map((q) => ({ ...q, ...none, ...neither, covariates: [], hypotheses: [], boundary: { share: 0, relevant: [], pairs: [] }, grid: [{ ...q.grid[10]!, weight: 1 }], chosen: 0 })),
    warnings: [],
    notes: [],
    methods: null,
    contributions: [null],
    forecast: { points: [], why_none: "too few samples" },
    drawn: { called: empty, questions: [{ calibration: empty, roc }] },
  };
}

export function make_fixture(kind: Kind): ReportData {
  const { colon } = shapes;
  if (kind === "malicious") return make_malicious({ ...colon, classes: [["'; DROP TABLE--", 22], ["<b>tumour</b>", 40]] });
  if (kind === "malicious-many") {
    const classes = hostile.slice(0, 12).map((name, k): [string, number] => [`${name} ${k}`, 2 + (k % 5)]);
    return make_malicious({ ...colon, classes, features: 40 });
  }
  if (kind === "bare") return make_bare();
  return make_report(shapes[kind], 2025);
}
