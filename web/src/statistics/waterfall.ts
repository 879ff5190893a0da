// What pushed a sample to its class: intercept + largest contributions + everything else = field.
import { is_number } from "../parts/format";
import type { Contributions } from "../fit/report_data";

export interface Step {
  name: string;
  kind: "feature" | "other" | "intercept" | "total";
  value: number;
  from: number; // running sum before
  to: number; // and after
}

export function waterfall(contributions: Contributions, sample: number, largest: number): Step[] {
  const row = contributions.values[sample] ?? [];
  const order = row
    .map((value, i) => ({ name: String(contributions.features[i]), value: is_number(value) ? value : 0 }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const shown = order.slice(0, largest).filter((entry) => entry.value !== 0);
  const hidden = order.slice(shown.length).reduce((sum, entry) => sum + entry.value, 0);
  const rest = contributions.rest[sample];
  const parts: Omit<Step, "from" | "to">[] = [
    { name: "intercept", kind: "intercept", value: is_number(contributions.intercept) ? contributions.intercept : 0 },
    ...shown.map((entry) => ({ ...entry, kind: "feature" as const })),
    { name: "other features", kind: "other", value: hidden + (is_number(rest) ? rest : 0) },
  ];
  let sum = 0;
  const steps: Step[] = parts.map((part) => ({ ...part, from: sum, to: (sum += part.value) }));
  return [...steps, { name: "field", kind: "total", value: sum, from: 0, to: sum }];
}
