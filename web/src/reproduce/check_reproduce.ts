// A reproduction as the page needs it, or an error that says what is wrong.
import { BadReport, require_fields, require_object, table_rows, type Loose } from "../parts/checks";
import type { ReproduceData } from "./reproduce_data";

const checks: Record<string, (part: Loose, where: string) => void> = {
  paragraph: (part, where) => require_fields(part, where, "string", ["text"]),
  table: (part, where) => require_fields(part, where, "array", ["head", "rows"]),
  lines: (part, where) => {
    require_fields(part, where, "array", ["series"]);
    for (const series of part["series"] as Loose[]) {
      table_rows(series, `${where}series`, ["x", "y"]);
      table_rows(series, `${where}series`, ["low", "high"]);
    }
  },
  bars: (part, where) => {
    require_fields(part, where, "array", ["categories", "series"]);
    for (const series of part["series"] as Loose[]) {
      require_fields(series, `${where}series.`, "array", ["height"]);
      if ((series["height"] as unknown[]).length !== (part["categories"] as unknown[]).length)
        throw new BadReport(`${where}series: as many heights as categories are needed`);
    }
  },
  printed: (part, where) => require_fields(part, where, "array", ["rows"]),
  csv: (part, where) => require_fields(part, where, "string", ["file", "content"]),
};

export function check_reproduce(value: unknown): ReproduceData {
  const data = require_object(value);
  require_fields(data, "", "string", ["version", "command", "seed"]);
  require_fields(data, "", "array", ["sections"]);
  require_fields(data, "", "object", ["citation"]);
  (data["sections"] as Loose[]).forEach((section, i) => {
    require_fields(section, `sections[${i}].`, "string", ["name", "title"]);
    require_fields(section, `sections[${i}].`, "array", ["parts"]);
    (section["parts"] as Loose[]).forEach((part, j) => {
      const where = `sections[${i}].parts[${j}].`;
      const check = checks[String(part["kind"])];
      if (!check || !Object.hasOwn(checks, String(part["kind"])))
        throw new BadReport(`${where}kind is unknown: ${String(part["kind"])}`);
      check(part, where);
    });
  });
  return data as unknown as ReproduceData;
}
