"""Panels of few features: what they cost on new samples, against what their price says and against other short lists.

    python experiments/panel/run.py --binary build/release/cavity --data ../shared/data --out FILE [--sets colon,...]
        [--splits 10] [--more 0] [--cores 16]

Random splits, two thirds train. By size: the error of `cavity panel` on new samples, and what its price states. On the same
splits the errors of a projection in ranks within each sample (the prototype, which needs all features of a new sample), of a
forward search on the labels, of the most included features of the fit refitted, and of lasso paths cut at the size.
A class that is commoner among the training samples of a random split is rarer among the others, while a price speaks of
classes as in training: stated - came is also given with classes as common as in training ("as trained"), and on `--more N`
further splits that hold two thirds of every class ("by class"), with the price alone. A line of JSON a split goes to
`--out`; those that are there are not done again, and those that could not be done (a class with one training sample) are
counted. Needs numpy and scikit-learn.
"""
import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import other_lists  # noqa: E402

SIZES = [1, 3, 5, 10]
SETS = "prostate,arcene,breast,leukemia,colon,srbct"  # the longest first
OTHERS = ("projection in ranks", "labels in ranks", "most included", "lasso")


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def table_of(data, name):
    """Lines as they are, with the label first; classes; values, missing ones by their mean."""
    with gzip.open(data / f"{name}.csv.gz", "rt") as file:
        head, *lines = file.read().splitlines()
    names, y = np.unique([line.split(",", 1)[0] for line in lines], return_inverse=True)
    x = np.array([[float(cell) if cell else np.nan for cell in line.split(",")[1:]] for line in lines])
    x = np.where(np.isnan(x), np.nanmean(x, 0), x)
    return head, lines, names, y, x


def columns_of(binary, model, data):
    head, *rows = [line.split(",") for line in run(binary, "predict", model, data).splitlines()]
    return {name: [row[k] for row in rows] for k, name in enumerate(head)}


def errors(wrong, weights):
    return [float(np.mean(wrong)), float(np.sum(weights * wrong) / np.sum(weights))]


def split_of(seed, y, by_class):
    random = np.random.default_rng(seed)
    orders = [random.permutation(np.flatnonzero(y == k)) for k in range(y.max() + 1)] if by_class else [random.permutation(len(y))]
    cuts = [round(2 / 3 * len(order)) for order in orders]
    return [np.sort(np.concatenate(parts)) for parts in zip(*((order[:cut], order[cut:]) for order, cut in zip(orders, cuts)))]


def of_others(a, at, z, train, names, y, features):
    """Panels by the other ways."""
    run(a.binary, "fit", at / "train.csv", "-o", at / "whole", "-q", "--threads", 1)
    said = columns_of(a.binary, at / "whole", at / "train.csv")
    two = len(names) == 2
    q = np.array([said["probability"]] if two else [said[f"p_{name}"] for name in names], float).T
    labels = np.array([y[train] == k for k in ([1] if two else range(len(names)))], float).T
    listed = [line.split(",")[0] for line in run(a.binary, "features", at / "whole").splitlines()[1:]]
    place = {name: l for l, name in enumerate(features)}
    ranked = [place[name] for name in listed[: max(SIZES)]]
    return dict(zip(OTHERS, (other_lists.forward(z[train], q, SIZES), other_lists.forward(z[train], labels, SIZES),
                             other_lists.refitted(z[train], labels, ranked, SIZES), other_lists.lasso(z[train], y[train], SIZES))))


def one_split(a, name, seed, alone):
    try:
        return panels_of_split(a, name, seed, alone)
    except RuntimeError as error:
        return {"table": name, "seed": seed, "failed": str(error)}


def panels_of_split(a, name, seed, alone):
    start = time.time()
    head, lines, names, y, x = table_of(a.data, name)
    train, test = split_of(seed, y, alone)
    weights = np.array([np.mean(y[train] == k) / max(np.mean(y[test] == k), 1e-9) for k in y[test]])
    out = {"table": name, "seed": seed, "stated": [], "stated loss": [], "cavity panel": []}
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for part, rows in (("train", train), ("test", test)):
            (at / f"{part}.csv").write_text("\n".join([head, *(lines[mu] for mu in rows)]) + "\n")
        said = json.loads(run(a.binary, "panel", at / "train.csv", "--sizes", ",".join(map(str, SIZES)), "--json", "-q",
                              "--threads", 1, "-o", at / "panel.{size}"))
        for size in SIZES:
            size = min(size, len(said["path"]))
            called = np.array(columns_of(a.binary, at / f"panel.{size}", at / "test.csv")["label"])
            out["cavity panel"].append(errors(called != names[y[test]], weights))
            out["stated"].append(said["sizes"][size - 1]["error"])
            out["stated loss"].append(said["sizes"][size - 1]["log_loss_more"])
        out["whole stated"], out["suggested"] = said["whole"]["error"], said["suggested"]
        if not alone:
            ranks = other_lists.standardised(other_lists.normal_scores(x), train)
            for what, panels in of_others(a, at, ranks, train, names, y, head.split(",")[1:]).items():
                out[what] = [errors(other_lists.calls(ranks[test], panels[size]) != y[test], weights) for size in SIZES]
    out["seconds"] = time.time() - start
    return out


def with_error(values):
    """Mean and standard error over splits."""
    values = np.asarray(values, float)
    return values.mean(0), values.std(0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else values[0] * np.nan


def line(what, mean, error=None, form="6.3f"):
    cells = [f"{m:{form}}" + ("" if error is None else f"+-{e:.3f}") for m, e in zip(mean, np.atleast_1d(error if error is not None else mean))]
    print(f"{what:34}", *cells, flush=True)


def report(results, sets):
    for one in results:
        if "failed" in one:
            print(f"{one['table']}, split {one['seed']} was left out: {one['failed'][-150:]}")
    results = [one for one in results if "failed" not in one]
    print("sizes", *SIZES, "| splits:", {name: sum(one["table"] == name for one in results) for name in sets})
    gaps = {}
    for name in sets:
        own = [one for one in results if one["table"] == name]
        if not own:
            continue
        compared = [one for one in own if "lasso" in one]
        for what in ("cavity panel", OTHERS[0]) if compared else ():
            line(f"{name}: {what}", np.mean([one[what] for one in compared], 0)[:, 0])
        by_class = [one for one in own if "lasso" not in one]
        for how, which, kind in (("", compared, 0), (", as trained", compared, 1), (", by class", by_class, 0)):
            if which:
                off = with_error([np.array(one["stated"]) - np.array(one["cavity panel"])[:, kind] for one in which])
                gaps.setdefault(how, []).append(off)
                if how:
                    line(f"{name}: stated - came{how}", *off, form="+6.3f")
    for how, off in gaps.items():
        error = np.sqrt(np.mean([e**2 for _, e in off], 0) / len(off))
        line(f"ALL: stated - came{how}", np.mean([m for m, _ in off], 0), error, "+6.3f")
    compared = [one for one in results if "lasso" in one]
    for what in OTHERS if compared else ():
        by_table = [with_error([np.array(one["cavity panel"])[:, 0] - np.array(one[what])[:, 0] for one in compared if one["table"] == name])
                    for name in sets if any(one["table"] == name for one in compared)]
        error = np.sqrt(np.mean([e**2 for _, e in by_table], 0) / len(by_table))
        line(f"ALL: cavity panel - {what}", np.mean([m for m, _ in by_table], 0), error, "+6.3f")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--sets", default=SETS)
    arguments.add_argument("--splits", type=int, default=10)
    arguments.add_argument("--more", type=int, default=0)
    arguments.add_argument("--cores", type=int, default=1)
    arguments.add_argument("--seconds", type=float, default=1e9, help="start no split after so many")
    a = arguments.parse_args()
    sets, start = a.sets.split(","), time.time()
    results = [json.loads(text) for text in a.out.read_text().splitlines()] if a.out.exists() else []
    done = {(one["table"], one["seed"]) for one in results}
    asked = [(name, seed, seed >= a.splits) for seed in range(a.splits + a.more) for name in sets if (name, seed) not in done]
    with ProcessPoolExecutor(a.cores) as pool, a.out.open("a") as out:
        waiting, running = iter(asked), set()
        while True:
            while len(running) < a.cores and time.time() - start < a.seconds and (task := next(waiting, None)):
                running.add(pool.submit(one_split, a, *task))
            if not running:
                break
            finished = next(as_completed(running))
            running.remove(finished)
            results.append(finished.result())
            print(json.dumps(results[-1]), file=out, flush=True)
    report(results, sets)


if __name__ == "__main__":
    main()
