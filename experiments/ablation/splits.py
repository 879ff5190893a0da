"""Training and test samples of experiments/accuracy, classes and planted, on the same splits, written where `ablation` reads
them: `FAMILIES[family]` lists tables, `write(family, table, split, folder)` gives the four arguments of `ablation`."""

import gzip
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from known_tables import DATA, TABLES, shared

TRAINING, FLIPS = 40, 0.1  # of experiments/planted


def of_sklearn(name):
    from sklearn import datasets

    return getattr(datasets, f"load_{name}")(return_X_y=True)


CLASSES = {"srbct": lambda: shared("srbct"), "lymphoma": lambda: shared("lymphoma"), "wine": lambda: of_sklearn("wine"),
           "iris": lambda: of_sklearn("iris"), "digits": lambda: of_sklearn("digits")}  # fmt: skip
PLANTED = {f"{name} {genes}": (name, genes) for name in ("prostate", "leukemia", "breast") for genes in (1, 2, 3)}
TEXT = ("pcmac", "dexter")
FAMILIES = {"accuracy": [*TABLES, "dexter"], "classes": list(CLASSES), "planted": list(PLANTED)}


@lru_cache(maxsize=None)
def table(family, name):
    if family == "classes":
        x, y = CLASSES[name]()
        return np.asarray(x, np.float32), np.unique(y, return_inverse=True)[1]
    if family == "planted":
        x = shared(PLANTED[name][0])[0]
        return np.where(np.isnan(x), np.nanmean(x, axis=0), x).astype(np.float32), None
    x, y = TABLES[name]()
    return np.asarray(x, np.float32), (y == sorted(set(y))[1]).astype(int)


@lru_cache(maxsize=None)
def lines_of(name):
    with gzip.open(DATA / f"{name}.svm.gz", "rt") as lines:
        return list(lines)


def ranks(column):
    """The mean rank of equal values."""
    _, which, count = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[which]


def planted(x, genes, split):
    random = np.random.default_rng([split, genes])
    which = random.choice(np.flatnonzero(x.std(0) > 0), genes, replace=False)
    rank = np.column_stack([ranks(x[:, one]) for one in which])
    field = ((rank - rank.mean(0)) / rank.std(0) * random.choice([-1, 1], genes)).sum(1)
    labels = (field >= np.median(field)) ^ (random.random(len(x)) < FLIPS)
    order = random.permutation(len(x))
    return labels.astype(int), order[:TRAINING], order[TRAINING:]


def two_thirds_of_each(y, split):
    random, train = np.random.default_rng(split), np.zeros(len(y), bool)
    for one in np.unique(y):
        members = random.permutation(np.flatnonzero(y == one))
        train[members[: max(1, round(2 * len(members) / 3))]] = True
    return np.flatnonzero(train), np.flatnonzero(~train)


def two_thirds(samples, split):
    order = np.random.default_rng(split).permutation(samples)
    return order[: 2 * samples // 3], order[2 * samples // 3 :]


def write(family, name, split, folder):
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    if name in TEXT:
        lines = lines_of(name)
        for part, rows in zip(("train", "test"), two_thirds(len(lines), split)):
            (folder / f"{part}.svm").write_text("".join(lines[row] for row in rows))
            out += [folder / f"{part}.svm", "-"]
        return out
    x, y = table(family, name)
    if family == "planted":
        y, *parts = planted(x, PLANTED[name][1], split)
    else:
        parts = two_thirds_of_each(y, split) if family == "classes" else two_thirds(len(y), split)
    for part, rows in zip(("train", "test"), parts):
        np.save(folder / f"{part}.npy", np.ascontiguousarray(x[rows]))
        (folder / f"{part}.labels").write_text("".join(f"c{k}\n" for k in y[rows]))
        out += [folder / f"{part}.npy", folder / f"{part}.labels"]
    return out
