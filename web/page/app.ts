// From a table to the report: choose, look at what was understood, fit.
import { el } from "../src/parts/dom";
import { short_name } from "../src/parts/format";
import { section } from "../src/sections/section";
import { Cancelled, Engine, Refused } from "./engine";
import { accept_drops, file_button, needs_labels, of_tenx, sort_out, stem, type Chosen } from "./files";
import { predict_section } from "./predict";
import { progress_view } from "./progress";
import type { Example, Fitted, Reading, Understood } from "./protocol";
import { result_of } from "./result";
import { facts, settings_form, too_large, type Settings } from "./understood";

const words_of = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const alert_of = (error: unknown): HTMLElement => el("p", { class: "warning", role: "alert" }, words_of(error));

function reading({ table, beside, companions }: Chosen, settings: Settings): Reading {
  const labels = needs_labels(table!) && !companions.some(of_tenx);
  const place = beside && (labels ? { labels: beside.name } : { samples: beside.name });
  return { file: table!.name, ...place, ...settings };
}

/** What to type for the same fit. */
function command(r: Reading): string {
  const quoted = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const option = (name: string, value: string | undefined): string => (value ? ` --${name} ${quoted(value)}` : "");
  const turned = { auto: "", samples: " --no-transpose", features: " --transpose" }[r.orientation ?? "auto"];
  const named = [option("samples", r.samples), option("labels", r.labels), option("label", r.label)].join("");
  const more = [option("group", r.group), option("id", r.id), option("covariates", r.covariates)].join("");
  return `cavity fit ${quoted(r.file)}${named}${more}${option("sheet", r.sheet)}${turned}`;
}

class App {
  private readonly engine = new Engine();
  private chosen: Chosen = { companions: [] };
  private understood: Understood | undefined;
  private working = 0; // pieces of work under way
  private readonly zone = el("div", { class: "drop" });
  private readonly shown = el("div", { role: "status" });
  private readonly form = settings_form(() => void this.busy(this.look()));
  private readonly fit_button = el("button", { type: "button", class: "primary" }, "Fit");
  private readonly progress = progress_view(() => this.engine.cancel());
  private readonly result = el("div", {}); // what to keep of it
  private readonly report = el("div", {});
  private readonly predict = predict_section(this.engine, (work) => this.busy(work));
  private readonly seen = section("app-understood", "What was understood", this.shown, this.form.element);

  constructor() {
    this.fit_button.addEventListener("click", () => void this.busy(this.fit()));
    this.seen.append(this.fit_button, this.progress.element);
    this.seen.hidden = true;
    this.fill_zone();
    accept_drops(this.zone, (files) => this.take(files));
    const data = section("app-data", "Your table", this.zone);
    document.body.append(el("main", {}, data, this.seen, this.result, this.predict.element, this.report));
  }

  private fill_zone(): void {
    const formats =
      "Drop a table here: CSV or TSV, .xlsx, svmlight, Matrix Market or NumPy .npy, plain or gzip, or a folder of 10x " +
      "Genomics. A row a sample or a row a feature; one column, or row, called label. With a second file, a table that " +
      "names each sample's class, or the labels of an .npy, drop both. A model (.cavity) can be dropped, too.";
    this.zone.append(
      el("p", {}, formats),
      el(
        "div",
        { class: "choose" },
        file_button("Choose files", true, (files) => this.take(files)),
        el("button", { type: "button", click: () => void this.busy(this.example()) }, "Try the example"),
      ),
    );
  }

  /** While there is work, nothing else can be asked for. */
  private async busy(work: Promise<void>): Promise<void> {
    ++this.working;
    this.enable();
    await work;
    --this.working;
    this.enable();
  }

  private enable(): void {
    const ready = this.understood !== undefined && this.understood.error === undefined && !too_large(this.understood);
    this.fit_button.disabled = this.working > 0 || !ready;
    for (const input of document.querySelectorAll<HTMLInputElement>(".file-button input, .settings *, .drop button"))
      input.disabled = this.working > 0;
  }

  private take(files: File[]): void {
    if (this.working > 0) return;
    const found = sort_out(files);
    if (found.model) this.predict.use_model(found.model);
    if (!found.table) return;
    if (found.model) return this.predict.use_table(found.table);
    this.chosen = found;
    this.form.clear();
    this.forget();
    void this.busy(this.look());
  }

  private files(): File[] {
    const { table, beside, companions } = this.chosen;
    return [table!, ...(beside ? [beside] : []), ...companions];
  }

  private async look(): Promise<void> {
    this.seen.hidden = false;
    this.understood = undefined;
    this.shown.replaceChildren(el("p", {}, `Reading ${short_name(this.chosen.table!.name, 60)}`));
    try {
      const request = { do: "inspect" as const, ...reading(this.chosen, this.form.values()) };
      const { value } = await this.engine.ask<Understood>(request, this.files());
      this.form.offer(value.columns);
      this.understood = value;
      if (value.error !== undefined) throw new Refused(value.error);
      const names = this.files().map((file) => short_name(file.name, 60));
      this.shown.replaceChildren(el("p", { class: "headline" }, names.join(" with ")), ...facts(value));
      this.progress.stop("");
    } catch (error) {
      this.shown.replaceChildren(alert_of(error));
    }
  }

  private forget(): void {
    this.result.replaceChildren();
    this.report.replaceChildren();
  }

  private async fit(): Promise<void> {
    this.forget();
    this.progress.start();
    const asked = reading(this.chosen, this.form.values());
    const request = { do: "fit" as const, stem: `/out/${stem(this.chosen.table!)}`, command: command(asked), ...asked };
    try {
      const answer = await this.engine.require<Fitted>(request, this.files(), (p) => this.progress.update(p));
      const { kept, report } = result_of(answer);
      this.result.replaceChildren(kept);
      this.report.replaceChildren(report);
      this.progress.stop("Done: the result is below.");
      this.result.querySelector("h2")!.scrollIntoView();
      const name = answer.value.files.model.replace("/out/", "");
      this.predict.use_model(new File([answer.files[name]!], name));
    } catch (error) {
      this.progress.stop(error instanceof Cancelled ? "Cancelled." : "");
      if (!(error instanceof Cancelled)) this.result.replaceChildren(alert_of(error));
    }
  }

  private async example(): Promise<void> {
    const { value, files } = await this.engine.require<Example>({ do: "example" }, []);
    const made = (name: string): File => new File([files[name]!], name);
    this.chosen = { table: made(value.file), companions: [] };
    this.form.clear();
    this.forget();
    this.predict.use_table(made(value.new));
    await this.look();
  }
}

export function show_app(): void {
  new App();
}
