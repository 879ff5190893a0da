// The page's tables as columns, to take away: names as in `panel --json`.
import type { CsvColumn, CsvValue } from "../parts/csv";
import type { NamedTable } from "../fit/tables";
import type { PanelData, PanelSize } from "./panel_data";

const price_columns = [
  "size",
  "adds",
  "cost",
  "error",
  "error_se",
  "log_loss",
  "log_loss_se",
  "balanced_accuracy",
  "auc",
  "sensitivity",
  "specificity",
  "error_more",
  "error_more_se",
  "log_loss_more",
  "log_loss_more_se",
] as const;

export function panel_tables(data: PanelData): NamedTable[] {
  const prices = price_columns.map(
    (name): CsvColumn => ({ name, values: data.sizes.map((row: PanelSize): CsvValue => row[name] ?? null) }),
  );
  const swaps = data.members.flatMap((m) => m.stand_ins.map((other) => ({ feature: m.name, ...other })));
  return [
    { file: "panel_prices.csv", title: "The price of every size", columns: prices },
    {
      file: "panel_members.csv",
      title: "Members of the panel",
      columns: [
        { name: "feature", values: data.members.map((m) => m.name) },
        ...(data.classes.length === 2 ? [{ name: "weight", values: data.members.map((m) => m.weights[0] ?? null) }] : []),
        { name: "share", values: data.members.map((m) => m.share) },
        { name: "credible_set", values: data.members.map((m) => m.credible_set.join(" ")) },
      ],
    },
    {
      file: "panel_stand_ins.csv",
      title: "Who could stand in",
      columns: [
        { name: "feature", values: swaps.map((s) => s.feature) },
        { name: "stand_in", values: swaps.map((s) => s.name) },
        { name: "loss", values: swaps.map((s) => s.loss) },
        { name: "share", values: swaps.map((s) => s.share) },
      ],
    },
  ];
}
