// Did the fits converge?
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { percent, plural, short_name } from "../parts/format";
import { section } from "../sections/section";
import { stacked_bars } from "../charts/stacked_bars";
import type { CompareData } from "./compare_data";
import { method_name } from "./compare_words";

interface StatusRow {
  method: string;
  status: string;
  splits: number;
  cells: number;
  settled: number;
}

function by_status({ splits }: CompareData): StatusRow[] {
  const rows = new Map<string, StatusRow>();
  splits.method.forEach((method, i) => {
    const status = splits.status[i]!;
    const key = JSON.stringify([method, status]);
    const row = rows.get(key) ?? { method, status, splits: 0, cells: 0, settled: 0 };
    ++row.splits;
    row.cells += splits.cells[i]!;
    row.settled += splits.settled[i]!;
    rows.set(key, row);
  });
  return [...rows.values()];
}

function sentence(data: CompareData): string {
  const bad = data.methods.filter((row) => row.unsettled + row.failed > 0);
  if (bad.length === 0) return "The fit of every method converged in every split.";
  const words = bad.map(
    (row) =>
      `${method_name(row.method)}: ${plural(row.unsettled, "split")} unsettled, ${row.failed} failed of ${row.splits}`,
  );
  return `${words.join("; ")}. Unsettled: the chosen cell did not converge. Failed: no classifier, and the commonest class of the training part was guessed. Neither is left out of the mean.`;
}

export function settled(data: CompareData): HTMLElement {
  const rows = by_status(data);
  return section(
    "settled",
    "Did the fits settle?",
    el("p", {}, sentence(data)),
    stacked_bars({
      title: "Splits by how the fit ended",
      label: `How the fits ended, for each method. ${sentence(data)}`,
      unit: "splits",
      rows_are: "method",
      parts: [
        { name: "converged", color: "var(--positive)", ink: "var(--on-positive)" },
        { name: "unsettled", color: "var(--empty)", ink: "var(--ink)" },
        { name: "failed", color: "var(--negative)", ink: "var(--on-negative)" },
      ],
      rows: data.methods.map((row) => ({
        name: row.method,
        counts: [row.splits - row.unsettled - row.failed, row.unsettled, row.failed],
      })),
    }),
    el(
      "details",
      { class: "numbers" },
      el("summary", {}, "Status of the chosen cell, and of the grid"),
      data_table({
        label: "Status by method",
        columns: [
          { title: "method", values: rows.map((row) => row.method) },
          { title: "status", values: rows.map((row) => short_name(row.status, 40)) },
          { title: "splits", values: rows.map((row) => row.splits) },
          {
            title: "grid cells converged",
            values: rows.map((row) => (row.cells ? row.settled / row.cells : null)),
            format: percent,
          },
        ],
      }).element,
    ),
  );
}
