// The density and noise that our own methods chose, split by split.
import { el } from "../parts/dom";
import { number, plural } from "../parts/format";
import { section } from "../sections/section";
import { value_bars } from "../charts/value_bars";
import type { ChosenValue, CompareData, MethodRow } from "./compare_data";
import { method_name } from "./compare_words";

function histogram(row: MethodRow, what: "density" | "noise", chosen: ChosenValue[]): HTMLElement {
  const sorted = [...chosen].sort((a, b) => a.value - b.value);
  const most = sorted.reduce((best, c) => (c.splits > best.splits ? c : best));
  return value_bars({
    title: `${method_name(row.method)}: ${what}`,
    label: `How often ${method_name(row.method)} chose each ${what}; most often ${number(most.value)}, in ${plural(most.splits, "split")}.`,
    value_label: what,
    count_label: "splits",
    values: sorted.map((c) => ({ value: number(c.value), count: c.splits })),
  });
}

function panels(row: MethodRow): HTMLElement[] {
  return (["density", "noise"] as const).flatMap((what) => {
    const chosen = row[what] ?? [];
    return chosen.length ? [histogram(row, what, chosen)] : [];
  });
}

export function chosen(data: CompareData): HTMLElement | null {
  const figures = data.methods.flatMap(panels);
  if (figures.length === 0) return null;
  return section(
    "chosen",
    "What the splits chose",
    el(
      "p",
      {},
      "The density and noise of the chosen grid cell (the heaviest one of a mixture). Choices that jump from split to split say that the data do not determine them; the error need not suffer.",
    ),
    el("div", { class: "pair" }, ...figures),
  );
}
