// A validation as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, type Loose } from "../parts/checks";
import type { ValidateData } from "./validate_data";

export function check_validate(value: unknown): ValidateData {
  const data = require_object(value);
  require_fields(data, "", "string", ["version", "command", "model", "file", "subgroup"]);
  require_fields(data, "", "object", ["came", "measured", "citation"]);
  require_fields(data, "", "array", ["classes", "findings", "by", "questions", "confusion", "samples"]);
  require_fields(data["came"] as Loose, "came.", "object", ["error", "log_loss", "brier"]);
  const questions = data["questions"] as Loose[];
  if (questions.length === 0) throw new BadReport("questions: there is none");
  questions.forEach((row, i) => {
    const at = `questions[${i}].`;
    require_fields(row, at, "string", ["name"]);
    require_fields(row, at, "array", ["calibration_curve", "roc", "thresholds", "decision_curve"]);
    require_fields(row, at, "object", ["calibration_in_the_large", "calibration_intercept", "calibration_slope"]);
  });
  (data["by"] as Loose[]).forEach((row, i) => require_fields(row, `by[${i}].`, "string", ["name"]));
  (data["samples"] as Loose[]).forEach((row, i) =>
    require_fields(row, `samples[${i}].`, "string", ["sample", "label"]),
  );
  return data as unknown as ValidateData;
}
