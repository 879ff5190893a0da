// Reports of fits of more than two classes that look like real ones, without a fit.
import type { Cell } from "../src/fit/report_data";
import type { ClassFit, SeveralData, SeveralFeatures, SeveralSamples } from "../src/several/several_data";
import { wilson } from "../src/statistics/intervals";
import { hostile, Stream } from "./make_fixture";

export const several_kinds = ["tumours", "malicious", "many"] as const;
export type SeveralKind = (typeof several_kinds)[number];

interface Shape {
  classes: [string, number][];
  features: number;
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const shapes: Record<SeveralKind, Shape> = {
  tumours: {
    classes: [
      ["BL", 11],
      ["EWS", 29],
      ["NB", 18],
      ["RMS", 25],
    ],
    features: 2308,
  },
  malicious: { classes: hostile.slice(0, 12).map((name, k) => [`${name} ${k}`, 1 + (k % 5)]), features: 40 },
  many: { classes: range(50).map((k) => [`species ${k + 1}`, 40]), features: 300 },
};

function make_samples({ classes }: Shape, random: Stream): SeveralSamples {
  const truth = classes.flatMap(([, size], k) => range(size).map(() => k));
  const rows = truth.map((k) => {
    const fields = classes.map((_, j) => Math.exp(1.3 * random.normal() + (j === k ? 4 : 0)));
    const sum = fields.reduce((a, b) => a + b, 0);
    return fields.map((f) => f / sum);
  });
  return {
    name: truth.map((_, i) => `S${i + 1}`),
    label: truth.map((k) => classes[k]![0]),
    loo_probability: rows,
    reliable: truth.map(() => random.uniform() > 0.03),
  };
}

function make_features({ classes, features }: Shape, random: Stream): SeveralFeatures {
  const rows = range(features).map((i) => {
    const inclusion = classes.map(() => random.uniform() ** (i < 40 ? 1 + i / 4 : 30));
    return { name: hostile[i] ?? `GENE${i + 1}`, inclusion, most: Math.max(...inclusion) };
  });
  rows.sort((a, b) => b.most - a.most);
  let expected_false = 0;
  return {
    name: rows.map((r) => r.name),
    inclusion: rows.map((r) => r.most),
    class: rows.map((r) => classes[r.inclusion.indexOf(r.most)]![0]),
    class_inclusion: rows.map((r) => r.inclusion),
    class_weight: rows.map((r) => r.inclusion.map((rho) => rho * random.normal())),
    class_sd: rows.map((r) => r.inclusion.map((rho) => 0.05 + 0.3 * rho)),
    expected_false: rows.map((r) => (expected_false += 1 - r.most)),
  };
}

function make_class(name: string, random: Stream): ClassFit {
  const cell = (density: number): Cell => ({
    density,
    noise: 0.02,
    width: 0.5,
    kept: 2000 * density,
    converged: density > 0.01,
    status: density > 0.01 ? "converged" : "iteration limit",
    usable: density > 0.01,
    reliable: true,
    by_folds: false,
    iterations: 40,
    residual: 1e-7,
    loo_error: 0.1 * random.uniform(),
    loo_log_loss: 0.2,
    log_evidence: -20,
    weight: density === 0.05 ? 1 : 0,
  });
  const grid = [0.2, 0.05, 0.005].map(cell);
  return {
    name,
    solver: "ep",
    grid,
    chosen: grid[1]!,
    loo_error: 0.05,
    loo_log_loss: 0.15,
    auc: 0.97,
    train_error: 0,
    intercept: -0.4,
    covariates: [{ name: "age", category: "", reference: "", weight: random.normal(), sd: 0.2 }],
    loo_check: { refits: 5, samples: 5, failed: 0, changed_labels: 0, largest_difference: 0.02, mean_difference: 0.01 },
  };
}

function confusion_of(shape: Shape, samples: SeveralSamples): number[][] {
  const names = shape.classes.map(([name]) => name);
  const counts = names.map(() => names.map(() => 0));
  samples.loo_probability.forEach((row, i) => {
    const line = counts[names.indexOf(samples.label[i]!)]!;
    line[row.indexOf(Math.max(...row.map((p) => p!)))]! += 1;
  });
  return counts;
}

export function make_several(kind: SeveralKind): SeveralData {
  const shape = shapes[kind];
  const random = new Stream(77);
  const samples = make_samples(shape, random);
  const confusion = confusion_of(shape, samples);
  const total = samples.name.length;
  const wrong = total - confusion.reduce((sum, row, k) => sum + row[k]!, 0);
  const commonest = shape.classes.reduce((a, b) => (b[1] > a[1] ? b : a));
  const odd = kind === "malicious";
  return {
    kind: "several",
    version: "0.1.0",
    command: "cavity fit tumours.csv --report tumours.html",
    seed: 1,
    options: { solver: "ep", activation: "step", selection: "stack", transform: "none", intercept: true },
    file: odd ? hostile[0]! : "data/tumours.csv.gz",
    samples: total,
    features: shape.features,
    kept_features: shape.features,
    classes: shape.classes.map(([name, count]) => ({ name, count })),
    solver: "ep",
    solver_reason: "features are correlated",
    loo_error: wrong / total,
    loo_error_se: Math.sqrt(((wrong / total) * (1 - wrong / total)) / total),
    loo_log_loss: 0.31,
    loo_error_interval: wilson(wrong, total),
    balanced_accuracy: 0.91,
    brier: 0.07,
    confusion,
    baseline_error: 1 - commonest[1] / total,
    guessing: {
      class: commonest[0],
      error: 1 - commonest[1] / total,
      brier: 0.36,
      log_loss: 1.33,
      gained: 50,
      lost: 1,
      p_value: 1e-12,
    },
    covariates_alone: {
      loo_error: 0.52,
      loo_log_loss: 1.1,
      error_gain: 0.4,
      error_gain_se: 0.07,
      log_loss_gain: 0.8,
      log_loss_gain_se: 0.09,
    },
    joining: { floor: 0.006, temperature: 1.2, offset: shape.classes.map((_, k) => 0.1 * k) },
    per_class: shape.classes.map(([name]) => make_class(name, random)),
    warnings: [{ name: "few-samples", text: "classes with fewer than 5 samples", cure: "get more samples of them" }],
    notes: ["3 constant features dropped", ...(odd ? hostile.slice(0, 3) : [])],
    sample_table: odd ? { ...samples, name: samples.name.map((n, i) => hostile[i] ?? n) } : samples,
    feature_table: make_features(shape, random),
    feature_total: shape.features,
    citation: { text: "S. Uda and Y. Kabashima (2005).", bibtex: "@article{uda2005sparse}" },
  };
}
