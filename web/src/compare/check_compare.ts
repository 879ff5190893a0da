// A comparison as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, table_rows, type Loose } from "../parts/checks";
import type { CompareData } from "./compare_data";

const columns = ["split", "method", "test", "error", "log_loss", "status", "cells", "settled", "density", "noise"];

export function check_compare(value: unknown): CompareData {
  const data = require_object(value);
  require_fields(data, "", "string", ["version", "command", "file"]);
  require_fields(data, "", "number", ["train", "features"]);
  require_fields(data, "", "object", ["settings", "splits", "citation"]);
  require_fields(data, "", "array", ["classes", "methods", "tests"]);
  table_rows(data["splits"] as Loose, "splits", columns);
  const methods = data["methods"] as Loose[];
  if (methods.length === 0) throw new BadReport("methods: there is none");
  methods.forEach((row, i) => {
    require_fields(row, `methods[${i}].`, "string", ["method"]);
    require_fields(row, `methods[${i}].`, "number", ["splits", "unsettled", "failed"]);
  });
  (data["tests"] as Loose[]).forEach((row, i) => {
    require_fields(row, `tests[${i}].`, "string", ["first", "second"]);
    require_fields(row, `tests[${i}].`, "number", ["wins", "ties", "losses"]);
  });
  return data as unknown as CompareData;
}
