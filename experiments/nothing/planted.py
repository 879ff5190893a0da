"""Is what a list by a false rate holds as often false as it may be, and an inclusion as often right as it says?

    python experiments/nothing/planted.py --binary build/release/cavity --data ../shared/data [--tables 100]
        [--sets colon,breast,prostate]

Needs numpy. One, two or three genes of a real table decide its labels, one in ten of which is flipped; 60 samples train.
Prints by number of genes and over all: how many lists `--fdr 0.2` gives, how many features they name and how many of these
are not planted, and how often the verdict is "better"; and for each tenth of inclusion the number of features, their mean
inclusion and the share that are planted. The sets take turns: table k is of set k modulo their number.
"""
import argparse
import functools
from pathlib import Path

import numpy as np

from tables import Fitted, add_arguments, by, judged, read_table

TRAINING, RATE, FLIPS, TENTHS = 60, "0.2", 0.1, 10


def ranks(column):
    """From 1 on; ties share their mean."""
    _, at, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[at]


def plant(x, genes, random):
    """Which genes decide, all labels, and an order of the samples whose first ones train: as experiments/planted has them."""
    which = random.choice(np.flatnonzero(x.std(0) > 0), genes, replace=False)
    ranked = np.stack([ranks(x[:, l]) for l in which], 1)
    field = ((ranked - ranked.mean(0)) / ranked.std(0) * random.choice([-1, 1], genes)).sum(1)
    labels = (field >= np.median(field)) ^ (random.random(len(x)) < FLIPS)
    return which, labels, random.permutation(len(x))


def judge(binary, data, sets, task):
    """Listed, false ones, better; by tenths of inclusion: features, the sum of inclusions, planted ones; then what that comes
    from: the probability of none, and inclusions above .02 or of planted ones."""
    genes, number = task
    x, _ = read_table(data / f"{sets[number % len(sets)]}.csv.gz")
    which, labels, order = plant(x, genes, np.random.default_rng([number, genes]))
    train = order[:TRAINING]
    with Fitted(binary, x[train], labels[train].astype(int)) as fitted:
        listed, stated = fitted.features("--fdr", RATE), fitted.features()
        better, none = fitted.says["verdict"]["better"], fitted.says["questions"][0]["hypotheses"][0]["posterior"]
    inclusion, planted = np.array(list(stated.values())), np.isin(list(stated), which)
    bins = np.minimum((TENTHS * inclusion).astype(int), TENTHS - 1)
    tenths = [np.bincount(bins, weights, TENTHS).tolist() for weights in (None, inclusion, planted)]
    likely = [[float(value), bool(true)] for value, true in zip(inclusion, planted) if value > 0.02 or true]
    return [[len(listed), sum(l not in which for l in listed), float(better)], tenths, none, likely]


def show(name, rows):
    lists = np.array([row[0] for row in rows])
    features, stated, came = (np.sum([row[1][k] for row in rows], 0) for k in range(3))
    parts = [f"{k / TENTHS:.1f}: {features[k]:.0f} {stated[k] / features[k]:.3f} {came[k] / features[k]:.3f}"
             for k in range(TENTHS) if features[k] > 0]
    print(f"{name}: better {int(lists[:, 2].sum())} of {len(rows)}, lists {int((lists[:, 0] > 0).sum())}, features "
          f"{int(lists[:, 0].sum())}, false {int(lists[:, 1].sum())}; {'; '.join(parts)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 100)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", default="colon,breast,prostate")
    a = parser.parse_args()
    tasks = [(genes, number) for number in range(a.first, a.first + a.tables) for genes in (1, 2, 3)]
    done = judged(functools.partial(judge, a.binary, a.data, a.sets.split(",")), tasks, a)
    for genes, rows in by(done, lambda task: task[0]).items():
        show(f"{genes} planted", rows)
    show("all", [row for _, row in done])


if __name__ == "__main__":
    main()
