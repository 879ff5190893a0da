// The page that some data become, by their kind.
import { check_compare } from "./compare/check_compare";
import { compare_page } from "./compare/compare_page";
import { check_report } from "./fit/check_report";
import { fit_page } from "./fit/fit_page";
import { check_panel } from "./panel/check_panel";
import { panel_page } from "./panel/panel_page";
import { BadReport } from "./parts/checks";
import type { Page } from "./parts/page";
import { check_reproduce } from "./reproduce/check_reproduce";
import { reproduce_page } from "./reproduce/reproduce_page";
import { check_validate } from "./validate/check_validate";
import { validate_page } from "./validate/validate_page";

export function page_of(data: Record<string, unknown>): Page {
  switch (data["kind"]) {
    case "fit":
      return fit_page(check_report(data));
    case "compare":
      return compare_page(check_compare(data));
    case "panel":
      return panel_page(check_panel(data));
    case "reproduce":
      return reproduce_page(check_reproduce(data));
    case "validate":
      return validate_page(check_validate(data));
    default:
      throw new BadReport(`kind should be fit, compare, panel, reproduce or validate, and is ${String(data["kind"])}`);
  }
}
