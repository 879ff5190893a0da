// New samples under a model: the one fitted on this page, or one from a file.
import { data_table } from "../src/parts/data_table";
import { el } from "../src/parts/dom";
import { probability, short_name } from "../src/parts/format";
import { section } from "../src/sections/section";
import type { Engine } from "./engine";
import { file_button, save_button, stem } from "./files";
import type { Predicted } from "./protocol";

export interface PredictSection {
  element: HTMLElement;
  use_model(model: File): void;
  use_table(table: File): void;
}

function predictions(answer: Predicted): HTMLElement {
  const known = answer.truth.length > 0;
  return data_table({
    label: "predictions",
    columns: [
      { title: "sample", values: answer.sample, format: (v: string) => short_name(v, 60) },
      { title: "label", values: answer.label, format: (v: string) => short_name(v, 40) },
      ...(known ? [{ title: "truth", values: answer.truth, format: (v: string) => short_name(v, 40) }] : []),
      ...answer.classes.map((name, k) => ({
        title: short_name(name, 20),
        values: answer.probabilities.map((row) => row[k]!),
        format: probability,
        hint: `probability of ${short_name(name)}`,
      })),
    ],
    search: "find a sample",
    page_size: 10,
    mark: (row) => (known && answer.truth[row] !== "" && answer.truth[row] !== answer.label[row] ? "wrong" : null),
  }).element;
}

/** `busy` holds everything else back while a prediction runs. */
export function predict_section(engine: Engine, busy: (work: Promise<void>) => Promise<void>): PredictSection {
  let model: File | undefined, table: File | undefined;
  const model_words = el("span", { "data-is": "model" }, "none yet");
  const table_words = el("span", { "data-is": "samples" }, "none yet");
  const shown = el("div", { "aria-live": "polite" });

  async function run(): Promise<void> {
    if (!model || !table) return;
    const request = { do: "predict" as const, model: model.name, file: table.name, stem: `/out/${stem(table)}` };
    try {
      const { value, files } = await engine.require<Predicted>(request, [model, table]);
      shown.replaceChildren(
        el("ul", { class: "plain" }, ...value.notes.map((note) => el("li", {}, note))),
        value.error_rate === "" ? "" : el("p", { class: "headline" }, value.error_rate),
        predictions(value),
        el("p", { class: "buttons" }, ...Object.entries(files).map(([n, b]) => save_button("Save predictions", n, b))),
      );
    } catch (error) {
      shown.replaceChildren(el("p", { class: "warning", role: "alert" }, (error as Error).message));
    }
  }
  function use_model(file: File): void {
    model = file;
    model_words.textContent = short_name(file.name, 60);
    void busy(run());
  }
  function use_table(file: File): void {
    table = file;
    table_words.textContent = short_name(file.name, 60);
    void busy(run());
  }
  const element = section(
    "app-predict",
    "Predict new samples",
    el("p", {}, "A model fitted here or saved before, and a table of new samples; its labels are compared where it has any."),
    el(
      "div",
      { class: "choose" },
      file_button("Choose a model", false, ([file]) => use_model(file!)),
      model_words,
      file_button("Choose new samples", false, ([file]) => use_table(file!)),
      table_words,
    ),
    shown,
  );
  return { element, use_model, use_table };
}
