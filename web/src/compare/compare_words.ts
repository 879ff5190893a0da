// A comparison in sentences.
import { count, is_number, number, percent, plural, short_name } from "../parts/format";
import type { Num } from "../fit/report_data";
import type { CompareData, MethodRow, TestRow } from "./compare_data";

export const method_name = (name: string): string => short_name(name, 24);

function list(parts: string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** The share of all others: what always guessing the commonest class errs. */
export function guessing_error(data: CompareData): number | null {
  const sizes = data.classes.map((c) => c.samples);
  const all = sizes.reduce((sum, n) => sum + n, 0);
  return all > 0 ? (all - Math.max(...sizes)) / all : null;
}

const mean_words = (row: MethodRow): string =>
  `${percent(row.error)}${is_number(row.sd) ? ` \u00b1 ${percent(row.sd)}` : ""} with ${method_name(row.method)}`;

export function compare_headline(data: CompareData): string {
  const all = data.classes.reduce((sum, c) => sum + c.samples, 0);
  const splits = data.methods[0]!.splits;
  return (
    `Over ${plural(splits, "random split")} of ${plural(all, "sample")} into ${count(data.train)} for training and ` +
    `${count(all - data.train)} for testing, the mean test error is ${list(data.methods.map(mean_words))} ` +
    `(\u00b1 standard deviation of single splits); always guessing the commonest class would give about ` +
    `${percent(guessing_error(data))}.`
  );
}

export type Standing = "better" | "unclear" | "worse";

/** By the one-sided sign test either way. */
export function standing(test: TestRow): Standing {
  if (is_number(test.sign_test_p) && test.sign_test_p < 0.05) return "better";
  return is_number(test.sign_test_p_worse) && test.sign_test_p_worse < 0.05 ? "worse" : "unclear";
}

/** One sentence, and the worst of the standings for its colour. */
export function compare_verdict(data: CompareData): { text: string; standing: Standing } {
  if (data.tests.length === 0) return { text: "There is no other method to compare with.", standing: "unclear" };
  const first = method_name(data.methods[0]!.method);
  const names = (wanted: Standing): string[] =>
    data.tests.filter((test) => standing(test) === wanted).map((test) => method_name(test.second));
  const parts = [
    names("better").length ? `errs on fewer test samples than ${list(names("better"))}` : "",
    names("unclear").length ? `cannot be told apart from ${list(names("unclear"))}` : "",
    names("worse").length ? `errs on more than ${list(names("worse"))}` : "",
  ].filter((text) => text !== "");
  const found: Standing = names("worse").length ? "worse" : names("better").length ? "better" : "unclear";
  return { text: `${first} ${list(parts)}.`, standing: found };
}

export const p_words = (p: number | null): string => (!is_number(p) ? "n/a" : p < 0.001 ? "< 0.001" : number(p, 2));

/** Two decimals: t of 1e-15 is 0. */
export const t_words = (t: Num): string =>
  is_number(t)
    ? t
        .toFixed(2)
        .replace(/^-(?=0\.00$)/, "")
        .replace("-", "\u2212")
    : "n/a";

export function duel_sentence(test: TestRow): string {
  const p = (value: Num): string =>
    `p ${is_number(value) && value < 0.001 ? "" : "= "}${p_words(value)}`.replaceAll(" ", "\u00a0");
  return (
    `Against ${method_name(test.second)}: ${plural(test.wins, "win")}, ${plural(test.ties, "tie")}, ` +
    `${plural(test.losses, "loss", "losses")}; one-sided sign test ${p(test.sign_test_p)}, Welch t\u00a0=\u00a0${t_words(test.welch_t)}, ${p(test.welch_p)}.`
  );
}
