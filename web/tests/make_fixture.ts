// Reports that look like real ones, without a fit: a seeded generator for the tests and for looking at the page.
// Command line: make_fixture KIND > report.json
import type { Cell, Contributions, FeatureTable, Guessing, ReportData, SampleTable } from "../src/fit/report_data";
import { is_number } from "../src/parts/format";
import { coin_tail, wilson } from "../src/statistics/intervals";

export const kinds = ["colon", "demo", "stress", "malicious", "bare"] as const;
export type Kind = (typeof kinds)[number];

interface Shape {
  file: string;
  samples: number;
  features: number;
  positive: [string, number];
  negative: string;
  separation: number; // of the classes, in standard deviations of the field
  relevant: number;
}

const shapes: Record<Exclude<Kind, "malicious" | "bare">, Shape> = {
  colon: {
    file: "colon.csv.gz",
    samples: 62,
    features: 2000,
    positive: ["t", 40],
    negative: "n",
    separation: 2.4,
    relevant: 14,
  },
  demo: {
    file: "demo.csv",
    samples: 200,
    features: 500,
    positive: ["1", 103],
    negative: "0",
    separation: 3,
    relevant: 25,
  },
  stress: {
    file: "cohort.csv.zst",
    samples: 1000,
    features: 20_000,
    positive: ["case", 380],
    negative: "control",
    separation: 2.6,
    relevant: 60,
  },
};

/** xorshift32, Box-Muller. */
export class Stream {
  constructor(private state: number) {}
  uniform(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return ((this.state >>> 0) + 0.5) / 4294967296;
  }
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function make_samples(shape: Shape, random: Stream): SampleTable {
  const [positive, count] = shape.positive;
  const label = range(shape.samples).map((i) => (i < count ? positive : shape.negative));
  const field = label.map((name) => (name === positive ? 0.5 : -0.5) * shape.separation + random.normal());
  return {
    name: range(shape.samples).map((i) =>
      shape.file.startsWith("colon")
        ? `${label[i] === positive ? "T" : "N"}${i + 1}`
        : `S${String(i + 1).padStart(4, "0")}`,
    ),
    label,
    loo_probability: field.map((f) => logistic(1.8 * f)),
    reliable: range(shape.samples).map(() => random.uniform() > 0.03),
  };
}

function make_features(shape: Shape, random: Stream): FeatureTable {
  const rows = range(shape.features).map((i) => {
    const strong = i < shape.relevant;
    const inclusion = strong ? logistic(4 * random.normal() + 1.5) : logistic(-4.5 + 0.9 * random.normal());
    const weight = (random.uniform() < 0.5 ? -1 : 1) * inclusion * (0.5 + Math.abs(random.normal()));
    return {
      name: `GENE${1 + Math.floor(random.uniform() * 90_000)}_${i}`,
      inclusion,
      weight,
      sd: 0.05 + 0.3 * Math.sqrt(inclusion * (1 - inclusion)),
      group: i % 23 === 5 && strong ? Math.floor(i / 46) : -1,
    };
  });
  rows.sort((a, b) => b.inclusion - a.inclusion);
  const top = rows.slice(0, 5000);
  let expected_false = 0;
  return {
    name: top.map((r) => r.name),
    inclusion: top.map((r) => r.inclusion),
    weight: top.map((r) => r.weight),
    sd: top.map((r) => r.sd),
    group: top.map((r) => r.group),
    expected_false: top.map((r) => (expected_false += 1 - r.inclusion)),
  };
}

function make_grid(random: Stream): Cell[] {
  const cells: Cell[] = [];
  for (const density of [0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3]) {
    for (const noise of [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]) {
      const far = Math.hypot(Math.log(density / 0.01) / 2.2, (noise - 0.1) * 6);
      const usable = !(density >= 0.3 && noise <= 0.02);
      cells.push({
        density,
        noise,
        converged: usable,
        status: usable ? "converged" : "iteration limit",
        usable,
        reliable: !(noise === 0 && density < 0.01),
        by_folds: false,
        iterations: Math.round(30 + 300 * random.uniform()),
        residual: usable ? 1e-7 * (1 + 8 * random.uniform()) : 0.013,
        loo_error: usable ? Math.round(62 * (0.145 + 0.06 * far + 0.02 * random.uniform())) / 62 : null,
        loo_log_loss: usable ? 0.36 + 0.12 * far : null,
        log_evidence: usable ? -31 - 5 * far : null,
        weight: 0,
      });
    }
  }
  const total = cells.reduce((sum, c) => sum + (c.log_evidence === null ? 0 : Math.exp(c.log_evidence)), 0);
  for (const cell of cells) cell.weight = cell.log_evidence === null ? 0 : Math.exp(cell.log_evidence) / total;
  return cells;
}

function make_contributions(
  features: FeatureTable,
  samples: SampleTable,
  positive: string,
  random: Stream,
): Contributions {
  const top = Math.min(50, features.name.length);
  return {
    features: features.name.slice(0, top),
    values: samples.label.map((label) =>
      range(top).map(
        (i) =>
          (features.weight[i] ?? 0) *
          0.4 *
          (random.normal() + (label === positive ? 0.7 : -0.7) * Math.sign(features.weight[i] ?? 0)),
      ),
    ),
    rest: samples.label.map(() => 0.2 * random.normal()),
    intercept: 0.31,
  };
}

function make_report(shape: Shape, seed: number): ReportData {
  const random = new Stream(seed);
  const sample_table = make_samples(shape, random);
  const feature_table = make_features(shape, random);
  const [positive, count] = shape.positive;
  const wrong = sample_table.loo_probability.filter(
    (p, i) => p! >= 0.5 !== (sample_table.label[i] === positive),
  ).length;
  const error = wrong / shape.samples;
  const log_loss =
    sample_table.loo_probability.reduce<number>(
      (sum, p, i) => sum - Math.log(sample_table.label[i] === positive ? p! : 1 - p!),
      0,
    ) / shape.samples;
  const grid = make_grid(random);
  const sizes = [20, 50, 100, 200, 500, 1000, 2000, 5000].map((n) => n * Math.max(1, Math.round(shape.samples / 100)));
  return {
    kind: "fit",
    version: "0.1.0",
    created: "2026-11-15 05:14 UTC",
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
      recalibrate: true,
      tolerance: 1e-6,
    },
    file: shape.file,
    samples: shape.samples,
    features: shape.features,
    kept_features: shape.features - 3,
    classes: { [positive]: count, [shape.negative]: shape.samples - count },
    positive,
    negative: shape.negative,
    solver: "ep",
    solver_reason: "automatic: the features are correlated",
    loo_error: error,
    loo_error_se: Math.sqrt((error * (1 - error)) / shape.samples),
    loo_log_loss: log_loss,
    choice_optimism: { error: 0.01, log_loss: 0.012 },
    ...make_accuracy(sample_table, positive, error),
    guessing: make_guessing(sample_table, shape),
    train_error: error / 3,
    loo_check: { refits: 5, failed: 1, changed_labels: 0, largest_difference: 0.021, mean_difference: 0.004 },
    baseline_error: Math.min(count, shape.samples - count) / shape.samples,
    grid,
    chosen: grid.reduce((best, c, i) => ((c.weight ?? 0) > (grid[best]!.weight ?? 0) ? i : best), 0),
    warnings: [
      {
        name: "not-converged",
        text: "2 of 49 grid cells did not converge within 500 iterations; they take no part in the choice.",
        cure: "raise --max-iterations, or leave density 0.3 with low noise out of the grid.",
      },
    ],
    notes: [
      "CSV with a header; label column: class",
      "3 constant features dropped",
      "12 missing values replaced by their feature's mean",
    ],
    sample_table,
    feature_table,
    feature_total: shape.features,
    expected_relevant:
      feature_table.inclusion.reduce<number>((sum, p) => sum + p!, 0) +
      (shape.features - feature_table.name.length) * 0.004,
    contributions: make_contributions(feature_table, sample_table, positive, random),
    learning_curve: {
      samples: sizes,
      error: sizes.map((n) => 0.05 + 0.4 / (1 + (n / (0.4 * shape.samples)) ** 0.8)),
      assumptions:
        "independent Gaussian features, a teacher with the density and noise of the chosen cell, and a student that knows both. Real features are correlated, which usually makes learning faster than this.",
      current_samples: shape.samples,
    },
    citation: {
      text: "S. Uda and Y. Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier, J. Phys. Soc. Jpn. 74 (2005) 2233.",
      bibtex:
        "@article{uda2005sparse,\n  author  = {Uda, Shinsuke and Kabashima, Yoshiyuki},\n  title   = {Statistical Mechanical Development of a Sparse {B}ayesian Classifier},\n  journal = {J. Phys. Soc. Jpn.},\n  volume  = {74},\n  pages   = {2233},\n  year    = {2005}\n}",
    },
  };
}

/** What the core works out from the same probabilities. */
function make_accuracy(samples: SampleTable, positive: string, error: number): Partial<ReportData> {
  const called = samples.loo_probability.map((p) => is_number(p) && p >= 0.5);
  const counted = (truth: boolean, call: boolean): number =>
    samples.label.filter((name, i) => (name === positive) === truth && called[i] === call).length;
  const confusion = {
    true_positive: counted(true, true),
    false_negative: counted(true, false),
    true_negative: counted(false, false),
    false_positive: counted(false, true),
  };
  const [ups, downs] = [
    confusion.true_positive + confusion.false_negative,
    confusion.true_negative + confusion.false_positive,
  ];
  const [sensitivity, specificity] = [confusion.true_positive / ups, confusion.true_negative / downs];
  return {
    loo_error_interval: wilson(error * samples.name.length, samples.name.length),
    confusion,
    sensitivity,
    sensitivity_interval: wilson(confusion.true_positive, ups),
    specificity,
    specificity_interval: wilson(confusion.true_negative, downs),
    balanced_accuracy: (sensitivity + specificity) / 2,
    auc: 0.93,
    auc_se: 0.03,
    auc_interval: [0.84, 0.97],
    brier: 0.1,
    covariates: [
      { name: "age", category: "", reference: "", weight: 0.012, sd: 0.02 },
      { name: "sex", category: "male", reference: "female", weight: -0.31, sd: 0.28 },
    ],
    covariates_alone: {
      loo_error: 0.34,
      loo_log_loss: 0.64,
      error_gain: 0.22,
      error_gain_se: 0.06,
      log_loss_gain: 0.25,
      log_loss_gain_se: 0.07,
    },
  };
}

function make_guessing(samples: SampleTable, shape: Shape): Guessing {
  const [positive, count] = shape.positive;
  const share = count / shape.samples;
  const guess = share >= 0.5 ? positive : shape.negative;
  const right = samples.loo_probability.map((p, i) => p! >= 0.5 === (samples.label[i] === positive));
  const gained = right.filter((r, i) => r && samples.label[i] !== guess).length;
  const lost = right.filter((r, i) => !r && samples.label[i] === guess).length;
  return {
    class: guess,
    error: Math.min(share, 1 - share),
    brier: share * (1 - share),
    log_loss: -share * Math.log(share) - (1 - share) * Math.log(1 - share),
    gained,
    lost,
    p_value: Math.min(1, 2 * coin_tail(Math.min(gained, lost), gained + lost)),
  };
}

export const hostile = [
  "</script><script>window.pwned = 1</script>",
  '<img src=x onerror="window.pwned = 2">',
  "<!--<script>",
  '"quoted", with comma',
  "=1+1",
  "line one\nline two\u2028line three",
  "\u202ereversed\u202c",
  "gene \u{1f9ec}\u{1f468}\u200d\u{1f52c}",
  "__CAVITY_REPORT_DATA__",
  "__proto__",
  "A".repeat(10_000),
  "\u{1f9ec}".repeat(200),
  "",
];

function make_malicious(): ReportData {
  const report = make_report({ ...shapes.colon, positive: ["<b>tumour</b>", 40], negative: "'; DROP TABLE--" }, 7);
  hostile.forEach((name, i) => {
    report.feature_table.name[i] = name;
    report.sample_table.name[i] = name;
    report.contributions!.features[i] = name;
  });
  report.feature_table.weight[3] = null;
  report.feature_table.inclusion[4] = null;
  report.sample_table.loo_probability[5] = null;
  report.grid[8]!.log_evidence = null;
  report.loo_log_loss = null;
  report.file = hostile[0]!;
  report.command = hostile[1]!;
  report.notes.push(hostile[1]!);
  report.warnings.push({ name: hostile[1]!, text: hostile[0]!, cure: hostile[3]! });
  report.options["<script>"] = hostile[0]!;
  report.citation.text = hostile[1]!;
  return report;
}

/** The least a fit can give: one cell, no probabilities beyond chance, no optional part. */
function make_bare(): ReportData {
  const report = make_report(
    { ...shapes.colon, file: "bare.csv", samples: 8, features: 3, positive: ["1", 4], negative: "0", relevant: 0 },
    5,
  );
  const { created: _created, command: _command, expected_relevant: _expected, loo_check: _check, ...rest } = report;
  return {
    ...rest,
    sample_table: { ...rest.sample_table, loo_probability: rest.sample_table.name.map(() => null) },
    grid: [{ ...rest.grid[10]!, weight: 1 }],
    chosen: 0,
    warnings: [],
    notes: [],
    contributions: null,
    learning_curve: null,
  };
}

export function make_fixture(kind: Kind): ReportData {
  if (kind === "malicious") return make_malicious();
  if (kind === "bare") return make_bare();
  return make_report(shapes[kind], 2025);
}
