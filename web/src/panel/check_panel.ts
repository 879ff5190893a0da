// A panel as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, type Loose } from "../parts/checks";
import type { PanelData } from "./panel_data";

export function check_panel(value: unknown): PanelData {
  const data = require_object(value);
  require_fields(data, "", "string", ["version", "command", "file", "transform"]);
  require_fields(data, "", "number", ["samples", "features", "folds", "repeats", "size", "margin"]);
  require_fields(data, "", "object", ["whole", "permutation", "citation"]);
  require_fields(data, "", "array", ["classes", "normalise", "sizes", "members", "sample_class"]);
  const sizes = data["sizes"] as Loose[];
  if (sizes.length === 0) throw new BadReport("sizes: there is none");
  sizes.forEach((row, i) => {
    require_fields(row, `sizes[${i}].`, "number", ["size", "cost"]);
    require_fields(row, `sizes[${i}].`, "string", ["adds"]);
  });
  const classes = (data["classes"] as unknown[]).length;
  const sample_class = data["sample_class"] as number[];
  if (!sample_class.every((k) => Number.isInteger(k) && k >= 0 && k < classes))
    throw new BadReport("sample_class: every sample needs the position of a class");
  (data["members"] as Loose[]).forEach((row, i) => {
    require_fields(row, `members[${i}].`, "string", ["name"]);
    require_fields(row, `members[${i}].`, "number", ["share"]);
    require_fields(row, `members[${i}].`, "array", ["weights", "stand_ins", "credible_set", "values"]);
    if ((row["values"] as unknown[]).length !== sample_class.length)
      throw new BadReport(`members[${i}].values: one a sample is needed`);
  });
  return data as unknown as PanelData;
}
