// Comparisons that look like real ones, for the tests and for looking at the page.
import type { ChosenValue, CompareData, MethodRow, SplitTable, TestRow } from "../src/compare/compare_data";
import { hostile, Stream } from "./random";

const test_samples = 20;

interface Shape {
  name: string;
  error: number; // mean
  own: boolean;
}

const shapes: Shape[] = [
  { name: "sbc-ep", error: 0.15, own: true },
  { name: "sbl", error: 0.26, own: false },
  { name: "fda", error: 0.17, own: false },
];

const pick = <T>(values: T[], u: number): T => values[Math.floor(u * values.length)]!;

function make_splits(methods: Shape[], splits: number, random: Stream): SplitTable {
  const out: SplitTable = {
    split: [],
    method: [],
    test: [],
    error: [],
    log_loss: [],
    status: [],
    cells: [],
    settled: [],
    density: [],
    noise: [],
  };
  for (let split = 1; split <= splits; ++split)
    for (const method of methods) {
      const wrong = Math.max(0, Math.round(test_samples * method.error + 1.7 * random.normal()));
      out.split.push(split);
      out.method.push(method.name);
      out.test.push(test_samples);
      out.error.push(wrong / test_samples);
      out.log_loss.push(0.3 + 0.1 * random.uniform());
      out.status.push(!method.own && split % 17 === 0 ? "stalled" : split % 31 === 0 ? "failed" : "converged");
      out.cells.push(method.own ? 24 : 1);
      out.settled.push(method.own ? 24 - (split % 2) : 1);
      out.density.push(pick([0.003, 0.006, 0.0125, 0.5], random.uniform()));
      out.noise.push(pick([0.003, 0.02, 0.08], random.uniform()));
    }
  return out;
}

const mean = (values: number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

function sd(values: number[]): number {
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - m) ** 2, 0) / (values.length - 1));
}

function chosen(table: SplitTable, method: string, what: "density" | "noise"): ChosenValue[] {
  const counts = new Map<number, number>();
  table[what].forEach((v, i) => table.method[i] === method && counts.set(v!, (counts.get(v!) ?? 0) + 1));
  return [...counts].map(([value, splits]) => ({ value, splits })).sort((a, b) => a.value - b.value);
}

function summary(table: SplitTable, { name, own }: Shape): MethodRow {
  const rows = table.method.flatMap((m, i) => (m === name ? [i] : []));
  const status = rows.map((i) => table.status[i]!);
  const errors = rows.map((i) => table.error[i]!);
  return {
    method: name,
    error: mean(errors),
    sd: sd(errors),
    splits: rows.length,
    unsettled: status.filter((s) => s === "stalled").length,
    failed: status.filter((s) => s === "failed").length,
    ...(own ? { density: chosen(table, name, "density"), noise: chosen(table, name, "noise") } : {}),
  };
}

function duel(table: SplitTable, first: string, second: string): TestRow {
  const of = (name: string): number[] => table.error.flatMap((e, i) => (table.method[i] === name ? [e!] : []));
  const [a, b] = [of(first), of(second)];
  const wins = a.filter((e, i) => e < b[i]!).length;
  const losses = a.filter((e, i) => e > b[i]!).length;
  return {
    first,
    second,
    wins,
    ties: a.length - wins - losses,
    losses,
    sign_test_p: wins > losses + 20 ? 1e-9 : 0.4,
    sign_test_p_worse: losses > wins + 20 ? 1e-9 : 0.6,
    welch_t: 3.25,
    welch_degrees_of_freedom: 391.4,
    welch_p: 0.0012,
  };
}

export function make_compare(kind: "colon" | "malicious"): CompareData {
  const methods = kind === "colon" ? shapes : shapes.map((shape, i) => ({ ...shape, name: hostile[i]! }));
  const splits = make_splits(methods, 200, new Stream(11));
  const bad = kind === "malicious";
  if (bad) splits.error[4] = null;
  if (bad) splits.status[5] = hostile[1]!;
  return {
    kind: "compare",
    version: "0.1.0",
    command: bad ? hostile[0]! : "cavity compare colon.csv.gz --splits 200 --train 42 --report compare.html",
    file: bad ? hostile[1]! : "data/colon.csv.gz",
    classes: [
      { name: bad ? hostile[0]! : "n", samples: 22 },
      { name: bad ? hostile[10]! : "t", samples: 40 },
    ],
    features: 2000,
    train: 42,
    settings: { methods: methods.map((m) => m.name).join(","), seed: 1, noise: [], covariates: "" },
    methods: methods.map((shape) => summary({ ...splits, error: splits.error.map((e) => e ?? 0) }, shape)),
    tests: methods.slice(1).map((other) => duel(splits, methods[0]!.name, other.name)),
    splits,
    citation: { text: bad ? hostile[1]! : "S. Uda and Y. Kabashima (2005).", bibtex: bad ? hostile[0]! : "@article{}" },
  };
}
