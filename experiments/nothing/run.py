"""Tables in which there is nothing to find: what does a fit say of them?

    python experiments/nothing/run.py --binary build/release/cavity [--data ../shared/data] [--tables 200] [--first 0]

Needs numpy. Pure noise of four shapes with classes of one size and, where there is data, real tables whose labels are dealt
anew, and then four as they are. Prints by kind, with its standard error, the share of tables with: a permutation p below .05
(and of its two parts), the verdict "better", an inclusion of a half or more, a list at a false rate of 0.2 that is not empty,
and a 95 % interval of the error that lies wholly below always guessing; and the mean log loss on 200 new samples (of noise; a
coin: .693).
"""
import argparse
import functools
from pathlib import Path

import numpy as np

from tables import Fitted, add_arguments, by, judged, mean_words, read_table

SHAPES = [(40, 500), (40, 2000), (60, 1000), (100, 200)]
DEALT = ["colon", "prostate", "breast", "srbct"]
AS_THEY_ARE = ["colon", "leukemia", "prostate", "breast"]
NEW = 200
COLUMNS = ["p<.05", "together", "strongest", "better", "inclusion>=.5", "list", "interval"]


def answers(fitted):
    """What is counted, and what it comes from."""
    says, test = fitted.says, fitted.says["permutation"]
    top = says["top_features"][0]["inclusion"]
    said = [test["p"] < 0.05, test["p_together"] < 0.05, test["p_strongest"] < 0.05, says["verdict"]["better"],
            top >= 0.5, len(fitted.features("--fdr", "0.2")) > 0, says["loo_error_interval"][1] < says["guessing"]["error"]]
    none = [q["hypotheses"][0]["posterior"] for q in says["questions"] if q["hypotheses"]]
    return {"said": [float(s) for s in said], "p": test["p"], "top": top, "none": none, "loo_log_loss": says["loo_log_loss"],
            "loo_error": says["loo_error"], "guessing": says["guessing"]["error"], "interval": says["loo_error_interval"]}


def noise(binary, samples, features, number):
    random = np.random.default_rng([samples, features, number])
    rows = random.normal(size=(samples, features))
    with Fitted(binary, rows, random.permutation(np.arange(samples) % 2)) as fitted:
        out = answers(fitted)
        p = fitted.probability(random.normal(size=(NEW, features)))
    out["said"].append(-np.mean(np.log(np.where(random.random(NEW) < 0.5, p, 1 - p))))
    return out


def work(binary, data, task):
    kind, number = task
    if not isinstance(kind, str):
        return noise(binary, *kind, number)
    rows, labels = read_table(data / f"{kind}.csv.gz")
    dealt = labels if number is None else np.random.default_rng(number).permutation(labels)
    with Fitted(binary, rows, dealt) as fitted:
        return answers(fitted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 200)
    parser.add_argument("--data", type=Path)
    a = parser.parse_args()
    kinds = SHAPES + (DEALT if a.data else [])
    tasks = [(name, None) for name in AS_THEY_ARE if a.data]
    tasks += [(kind, number) for number in range(a.first, a.first + a.tables) for kind in kinds]
    done = judged(functools.partial(work, a.binary, a.data), tasks, a)
    print("".join(f"{name:>15}" for name in ["kind", "tables", *COLUMNS, "log loss"]))
    for kind, rows in by([row for row in done if row[0][1] is not None], lambda task: task[0]).items():
        name = kind if isinstance(kind, str) else f"{kind[0]} x {kind[1]}"
        print("".join(f"{words:>15}" for words in [name, len(rows), *(mean_words(column) for column in zip(*(row["said"] for row in rows)))]))
    for (name, number), row in done:
        if number is None:
            print(f"{name} as it is: p = {row['p']:.3f}")


if __name__ == "__main__":
    main()
