// A reproduction that looks like a real one, for the tests.
import type { LineSeries, ReproduceData } from "../src/reproduce/reproduce_data";
import { hostile } from "./random";

const densities = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1];

function theory(teacher: number, look: number, name: string): LineSeries {
  const y = densities.map((d) => 0.15 + 0.3 * teacher + 0.08 * Math.log10(d / teacher) ** 2);
  return { name, x: densities, y, low: [], high: [], line: true, markers: false, look };
}

function experiment({ x, y, look }: LineSeries): LineSeries {
  const low = y.map((v) => v! - 0.03);
  return {
    name: "",
    x,
    y: y.map((v) => v! + 0.01),
    low,
    high: y.map((v) => v! + 0.04),
    line: false,
    markers: true,
    look,
  };
}

export function make_reproduce(kind: "paper" | "malicious"): ReproduceData {
  const bad = kind === "malicious";
  const word = (text: string, i: number): string => (bad ? hostile[i]! : text);
  const lines = [0.05, 0.1, 0.2, 0.4].map((teacher, i) => theory(teacher, i, word(`teacher ${teacher}`, i)));
  if (bad) lines[0]!.y[2] = null;
  return {
    kind: "reproduce",
    version: "0.1.0",
    command: word("cavity reproduce all --quick", 1),
    quick: true,
    seed: "18446744073709551615",
    sections: [
      {
        name: word("fig1", 0),
        title: word("Figure 1: error against density", 0),
        parts: [
          { kind: "paragraph", text: word("Ours: 0.11 +- 0.02, 5 % less.", 1) },
          {
            kind: "lines",
            name: "fig1a",
            title: word("(a) Posterior mean", 2),
            x_label: word("density of the student", 3),
            y_label: word("generalisation error", 4),
            log_x: true,
            log_y: false,
            series: [...lines, experiment(lines[1]!)],
          },
          { kind: "csv", file: "fig1.csv", content: "teacher,density\n0.05,0.01\n" },
        ],
      },
      {
        name: "table1",
        title: "Table 1: the colon data",
        parts: [
          {
            kind: "printed",
            title: "Test error, ours and in print",
            x_label: "test error, %",
            rows: [
              { name: word("SBC (AMP), noise 0.4, whitened on training part", 0), mean: 20.8, sd: 7.4, print: null },
              { name: word("SBL", 10), mean: 21.7, sd: 6.8, print: [24.3, 10.7] },
              { name: "FDA", mean: null, sd: null, print: [39.6, 8.4] },
            ],
          },
          {
            kind: "table",
            head: [word("method", 1), "ours", "in print", "sign test, one-sided p"],
            rows: [
              [word("SBL", 0), "21.7 +- 6.8", "24.3 +- 10.7", "-2.6"],
              ["FDA", "17.5 +- 6.9", "", "0.31"],
            ],
          },
          {
            kind: "bars",
            name: "fig5",
            title: word("Figure 5: the density that the splits choose", 0),
            x_label: "density of the chosen cell",
            y_label: "splits",
            categories: bad ? [hostile[0]!, "0.1", "0.2"] : ["0.0025", "0.1", "0.2"],
            series: [
              { name: word("SBC (AMP)", 1), height: [120, 60, 20] },
              { name: "SBC (AMP), noise 0.4", height: [10, 190, 0] },
            ],
          },
        ],
      },
    ],
    citation: { text: "S. Uda and Y. Kabashima (2005).", bibtex: "@article{}" },
  };
}
