// Builds the page from the JSON that stands in it.
import { check_report } from "./fit/check_report";
import { BadReport, parse_page_data } from "./parts/checks";
import { check_compare } from "./compare/check_compare";
import { compare_page } from "./compare/compare_page";
import { el } from "./parts/dom";
import { fit_page } from "./fit/fit_page";
import { show, type Page } from "./parts/page";
import { check_reproduce } from "./reproduce/check_reproduce";
import { check_several } from "./several/check_several";
import { several_page } from "./several/several_page";
import { reproduce_page } from "./reproduce/reproduce_page";

function page_of(text: string): Page {
  const data = parse_page_data(text);
  switch (data["kind"]) {
    case "fit":
      return fit_page(check_report(data));
    case "several":
      return several_page(check_several(data));
    case "compare":
      return compare_page(check_compare(data));
    case "reproduce":
      return reproduce_page(check_reproduce(data));
    default:
      throw new BadReport(`kind should be fit, several, compare or reproduce, and is ${String(data["kind"])}`);
  }
}

function start(): void {
  try {
    show(page_of(document.getElementById("report-data")?.textContent ?? ""));
  } catch (error) {
    console.error(error);
    const text = error instanceof Error ? error.message : String(error);
    document.body.append(
      el("main", {}, el("h1", {}, "No report"), el("p", { role: "alert" }, `This page cannot be shown: ${text}`)),
    );
  }
}

start();
