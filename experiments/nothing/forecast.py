"""Does the forecast from a half of a table hold for the whole?

    python experiments/nothing/forecast.py --binary build/release/cavity --data ../shared/data [--tables 20]
        [--sets colon,prostate,breast,arcene,pcmac]

Needs numpy. Random halves with the classes' shares are fitted, and what they say of twice the samples is held against the
leave-one-out error of the whole table. Prints by table: how many halves have a forecast (the others are not shown to tell the
classes apart), the share whose 80 % interval holds the whole's error, with its standard error, those that lie wholly above and
below it, the mean error of the half, its forecast, the whole's, and the interval's mean width.
"""
import argparse
import functools
import gzip
import tempfile
from pathlib import Path

import json
import numpy as np

from tables import add_arguments, by, judged, mean_words, run


def lines_of(path):
    """Head line, where there is one, lines of samples, and the label of each."""
    with gzip.open(path, "rt") as file:
        lines = file.read().splitlines()
    if path.name.endswith(".svm.gz"):
        return [], lines, [line.split(" ", 1)[0] for line in lines]
    return lines[:1], lines[1:], [line.split(",", 1)[0] for line in lines[1:]]


def half(labels, random):
    out = []
    for kind in sorted(set(labels)):
        of_kind = [i for i, label in enumerate(labels) if label == kind]
        out += random.permutation(of_kind)[:len(of_kind) // 2].tolist()
    return sorted(out)


def judge(binary, data, task):
    """Of the whole its error; of a half its error, the forecast and its interval, nothing where there is none."""
    name, number = task
    path = next(data.glob(f"{name}.*.gz"))
    if number is None:
        return [json.loads(run(binary, "fit", path, "--json", "-q", "--threads", "1"))["loo_error"]]
    head, lines, labels = lines_of(path)
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / path.name.removesuffix(".gz")
        part.write_text("\n".join(head + [lines[i] for i in half(labels, np.random.default_rng(number))]) + "\n")
        says = json.loads(run(binary, "fit", part, "--json", "-q", "--threads", "1"))
    points = says["forecast"]["points"]
    return [says["loo_error"], *([points[-1]["error"], *points[-1]["interval"]] if points else [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 20)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", default="colon,prostate,breast,arcene,pcmac")
    a = parser.parse_args()
    names = a.sets.split(",")[::-1]  # the largest first
    tasks = [(name, None) for name in names]
    tasks += [(name, number) for number in range(a.first, a.first + a.tables) for name in names]
    done = judged(functools.partial(judge, a.binary, a.data), tasks, a)
    whole = {name: row[0] for (name, number), row in done if number is None}
    print(f"{'table':<10}" + "".join(f"{word:>14}" for word in ["halves", "forecasts", "held", "above", "below", "half's",
                                                                 "forecast", "whole's", "width"]))
    for name, rows in by([row for row in done if row[0][1] is not None], lambda task: task[0]).items():
        said = np.array([row for row in rows if len(row) > 1])
        if name not in whole or len(said) == 0:
            print(f"{name:<10}{len(rows):>14}{len(said):>14}")
            continue
        of, error, low, high = said.T
        truth = whole[name]
        words = [len(rows), len(said), *(mean_words(v) for v in ((low <= truth) & (truth <= high), low > truth, high < truth)),
                 *(f"{np.mean(v):.3f}" for v in (of, error, truth, high - low))]
        print(f"{name:<10}" + "".join(f"{word:>14}" for word in words))


if __name__ == "__main__":
    main()
