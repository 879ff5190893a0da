// The first method against each of the others, split by split.
import { data_table } from "../parts/data_table";
import { el } from "../parts/dom";
import { count, number } from "../parts/format";
import { section } from "../sections/section";
import { stacked_bars } from "../charts/stacked_bars";
import type { CompareData, TestRow } from "./compare_data";
import { duel_sentence, method_name, p_words, t_words } from "./compare_words";

function test_table(tests: TestRow[]): HTMLElement {
  const of = <K extends keyof TestRow>(key: K): TestRow[K][] => tests.map((test) => test[key]);
  return data_table({
    label: "Tests of the first method against the others",
    columns: [
      { title: `${tests[0]!.first} against`, values: of("second") },
      { title: "wins", values: of("wins"), format: count },
      { title: "ties", values: of("ties"), format: count },
      { title: "losses", values: of("losses"), format: count },
      {
        title: "sign test p",
        values: of("sign_test_p"),
        format: p_words,
        hint: "one-sided: more wins than a fair coin",
      },
      { title: "Welch t", values: of("welch_t"), format: t_words, hint: "above 0: the first has fewer errors" },
      { title: "degrees of freedom", values: of("welch_degrees_of_freedom"), format: number },
      { title: "Welch p", values: of("welch_p"), format: p_words, hint: "two-sided" },
    ],
  }).element;
}

export function duels(data: CompareData): HTMLElement | null {
  const { tests } = data;
  if (tests.length === 0) return null;
  const first = method_name(tests[0]!.first);
  return section(
    "duels",
    "Split by split",
    stacked_bars({
      title: `Splits that ${first} wins, ties and loses`,
      label: tests.map(duel_sentence).join(" "),
      unit: "splits",
      rows_are: `${first} against`,
      parts: [
        { name: `${first} has fewer errors`, color: "var(--positive)", ink: "var(--on-positive)" },
        { name: "the same number", color: "var(--empty)", ink: "var(--ink)" },
        { name: "the other has fewer", color: "var(--negative)", ink: "var(--on-negative)" },
      ],
      rows: tests.map((test) => ({ name: test.second, counts: [test.wins, test.ties, test.losses] })),
    }),
    el("h3", {}, "Tests"),
    test_table(tests),
    el(
      "p",
      { class: "remark" },
      "Sign test: one-sided, on the splits that are not ties. Welch: two-sided, on the errors of all splits. Splits of one data set share samples, so both treat dependent numbers as independent and their p values are too small: read them as a ranking, not as evidence about new studies.",
    ),
  );
}
