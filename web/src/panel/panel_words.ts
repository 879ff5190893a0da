// What a price list says, in sentences.
import { is_number, number, percent, plural } from "../parts/format";
import type { PanelData, PanelSize } from "./panel_data";

/** "+0.021", "−0.003". */
export const signed = (value: number | null | undefined, digits = 3): string =>
  is_number(value) ? `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(digits)}` : "n/a";

/** Three decimals, down a column. */
export const nats = (value: number | null | undefined): string => (is_number(value) ? value.toFixed(3) : "n/a");

export const size_row = (data: PanelData, size: number): PanelSize => data.sizes[size - 1]!;

export function not_shown(data: PanelData): boolean {
  return data.permutation.shown === false;
}

export function panel_verdict(data: PanelData): { standing: string; text: string } {
  if (not_shown(data))
    return {
      standing: "unclear",
      text: `It is not shown that the features tell the classes apart at all (p = ${number(data.permutation.p, 2)}): no size is suggested.`,
    };
  if (data.suggested === null)
    return {
      standing: "unclear",
      text: `No panel of up to ${plural(data.sizes.length, "feature")} comes within one standard error of the whole fit: one that small costs accuracy.`,
    };
  const row = size_row(data, data.suggested);
  return {
    standing: "better",
    text: `${plural(data.suggested, "feature")} would do: ${percent(row.error)} error on samples not seen, where all ${data.features.toLocaleString("en-US")} have ${percent(data.whole.error)}.`,
  };
}

export function suggestion(data: PanelData): string {
  if (data.suggested === null) return "";
  const row = size_row(data, data.suggested);
  return (
    `${plural(data.suggested, "feature")} is the smallest panel whose log loss (${nats(row.log_loss)}) is within one standard ` +
    `error of the whole fit's (${nats(data.whole.log_loss)}): ${signed(row.log_loss_more)} \u00b1 ${nats(row.log_loss_more_se)}.`
  );
}

/** What the members' values are. */
export function unit_words(data: PanelData): string {
  const words: Record<string, string> = {
    log1p: "ln(1 + value)",
    feature_asinh: "asinh((value \u2212 median)/spread)",
  };
  const values = words[data.transform] ?? "value";
  return data.normalise.length > 0 ? `${values} less the references' mean` : values;
}
