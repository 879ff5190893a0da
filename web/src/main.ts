// Builds the page from the JSON that stands in it.
import { page_of } from "./page_of";
import { parse_page_data } from "./parts/checks";
import { el } from "./parts/dom";
import { show } from "./parts/page";

function start(): void {
  try {
    show(page_of(parse_page_data(document.getElementById("report-data")?.textContent ?? "")));
  } catch (error) {
    console.error(error);
    const text = error instanceof Error ? error.message : String(error);
    document.body.append(
      el("main", {}, el("h1", {}, "No report"), el("p", { role: "alert" }, `This page cannot be shown: ${text}`)),
    );
  }
}

start();
