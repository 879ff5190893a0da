// The panel itself: its features by class, how often the folds chose them, and who could take their place.
import * as Plot from "@observablehq/plot";
import { chart, plot } from "../charts/chart";
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { class_words, is_number, number, percent, plural, short_name } from "../parts/format";
import { section } from "../sections/section";
import type { PanelData, PanelMember } from "./panel_data";
import { signed, unit_words } from "./panel_words";

const most_drawn = 20; // members

interface Spot {
  value: number;
  klass: number;
  place: number; // across its class, from 0 to 1
}

/** Side by side by rank, so that no two lie on each other and nothing is drawn by chance. */
function spots_of(data: PanelData, member: PanelMember): Spot[] {
  const next = data.classes.map(() => 0);
  return member.values.flatMap((value, mu) => {
    const klass = data.sample_class[mu]!;
    const i = next[klass]!++;
    return is_number(value) ? [{ value, klass, place: (0.5 + ((i * 0.6180339887) % 1)) % 1 }] : [];
  });
}

interface Middle {
  klass: number;
  value: number;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

function middles_of(data: PanelData, spots: Spot[]): Middle[] {
  return data.classes.flatMap((_, klass) => {
    const own = spots.filter((s) => s.klass === klass).map((s) => s.value);
    return own.length > 0 ? [{ klass, value: median(own) }] : [];
  });
}

const colour = (data: PanelData, klass: number): string =>
  data.classes.length === 2 ? (klass === 1 ? "var(--positive)" : "var(--negative)") : `var(--series-${klass % 4})`;

const marks = ["triangle", "circle", "square", "diamond"] as const;
const shape = (klass: number): (typeof marks)[number] => marks[klass % 4]!;

function draw(data: PanelData, member: PanelMember, width: number): SVGSVGElement {
  const spots = spots_of(data, member);
  const classes = data.classes.map((_, k) => k);
  const middles = middles_of(data, spots);
  const room = (width - 60) / classes.length;
  return plot({
    width,
    height: 210,
    marginLeft: 44,
    marginRight: 8,
    marginTop: 20,
    marginBottom: 26,
    x: {
      domain: [-0.5, classes.length - 0.5],
      label: null,
      ticks: classes,
      tickSize: 0,
      tickFormat: (k: number) =>
        short_name(data.classes[k]?.name ?? "", Math.max(2, Math.min(16, Math.floor(room / 7)))),
    },
    y: { label: unit_words(data), labelArrow: "none", ticks: 4, grid: true, nice: true },
    marks: [
      ...classes.map((klass) =>
        Plot.dot(
          spots.filter((s) => s.klass === klass),
          {
            x: (s: Spot) => s.klass + 0.7 * (s.place - 0.5),
            y: "value",
            r: 2.6,
            symbol: shape(klass),
            fill: colour(data, klass),
            fillOpacity: 0.75,
          },
        ),
      ),
      Plot.ruleY(middles, {
        x1: (m: Middle) => m.klass - 0.38,
        x2: (m: Middle) => m.klass + 0.38,
        y: "value",
        stroke: "currentColor",
        strokeWidth: 2,
      }),
    ],
  });
}

function small_multiple(data: PanelData, member: PanelMember): HTMLElement {
  const middles = middles_of(data, spots_of(data, member));
  const said = middles.map((m) => `${class_words(data.classes[m.klass]!.name)} ${number(m.value, 3)}`).join(", ");
  return chart({
    title: short_name(member.name, 40),
    label: `Values of ${short_name(member.name, 40)} by class; medians: ${said}.`,
    draw: (width) => draw(data, member, width),
    table: () => ({
      label: `Median of ${short_name(member.name, 40)} by class`,
      columns: [
        { title: "class", values: middles.map((m) => data.classes[m.klass]!.name) },
        { title: "median", values: middles.map((m) => m.value), format: number },
      ],
    }),
  }).element;
}

function stand_in_words({ stand_ins }: PanelMember): string {
  return stand_ins.map((one) => `${short_name(one.name, 24)} (${signed(one.loss)})`).join(", ") || "none";
}

function swap_table(data: PanelData): HTMLElement {
  const { members } = data;
  const two = data.classes.length === 2;
  return data_table({
    label: "Members and who could take their place",
    columns: [
      { title: "feature", values: members.map((m) => m.name), format: (name: string) => short_name(name, 40) },
      ...(two
        ? [{ title: "weight", values: members.map((m) => m.weights[0] ?? null), format: (v: number | null) => number(v, 3) }]
        : []),
      { title: "in folds", values: members.map((m) => m.share), format: percent, hint: "share of the folds' panels that have it" },
      { title: "could stand in", values: members.map(stand_in_words), longest: 200, hint: "and by how many nats a sample the panel then says less of the fit" },
      {
        title: "credible set",
        values: members.map((m) => (m.credible_set.length > 1 ? m.credible_set.map((n) => short_name(n, 24)).join(", ") : "none")),
        longest: 120,
        hint: "features that fill one place in 90 % of the draws of the fit",
      },
    ],
  }).element;
}

export function members(data: PanelData): HTMLElement {
  const shown = data.members.slice(0, most_drawn);
  const weight =
    data.classes.length === 2
      ? `Weights speak for ${class_words(data.classes[1]!.name)}, in probits per unit of what the panel sees. `
      : "";
  return section(
    "members",
    `The panel of ${plural(data.size, "feature")}`,
    el(
      "p",
      {},
      `A feature without an assay can be replaced: exclude it with --never and look at the price again. Those listed lose at most ${number(data.margin)} nats a sample of what the panel says of the fit.`,
    ),
    swap_table(data),
    el(
      "p",
      { class: "remark" },
      `${weight}A low share of the folds says that others would do as well, not that the feature is useless.`,
    ),
    data.normalise.length > 0 &&
      el("p", { class: "remark" }, `Measured beside them: ${data.normalise.map((n) => short_name(n, 40)).join(", ")}, whose mean is taken off.`),
    el("h3", {}, "Each by class"),
    el("div", { class: "trio panels" }, ...shown.map((member) => small_multiple(data, member))),
    data.members.length > most_drawn && el("p", { class: "remark" }, `The first ${most_drawn} are drawn.`),
  );
}
