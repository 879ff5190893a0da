"""Do sets of labels hold the truth as often as `predict --confidence` promises?

    python experiments/confidence/run.py --binary build/release/cavity [--tables 200] [--cores 1] [--samples 40,100]

Needs numpy. Simulated tables of 300 features with ten common factors: none, five weak, three strong features or a factor
that nearly all features follow decide, of two classes and of three, in turn. On 1000 new samples of each: the share whose
set holds the truth at 0.9 and at 0.8, and the shares of sets with one label, none, and several. Prints them by samples and
truth, with the standard error over tables, then over all tables of a size, and over those whose error is below 5 %. With
--out every table's figures go into a CSV as they come.
"""
import argparse
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

FEATURES, FACTORS, SHARED, NEW = 300, 10, 0.3, 1000
TRUTHS = {"none": (0, 5), "weak": (1.2, 5), "strong": (6, 3), "plain": (12, 0)}  # field's sd over the noise's, features
RATES = (0.9, 0.8)


def table(samples, truth, classes, number):
    signal, decide = TRUTHS[truth]
    random = np.random.default_rng([samples, list(TRUTHS).index(truth), classes, number])
    loadings = random.normal(size=(FACTORS, FEATURES)) * np.sqrt(SHARED / FACTORS)
    places = random.choice(FEATURES, decide, replace=False)
    weights = random.normal(size=(max(decide, 1), classes))

    def draw(n):
        hidden = random.normal(size=(n, FACTORS))
        x = hidden @ loadings * (4 if decide == 0 else 1) + random.normal(size=(n, FEATURES)) * np.sqrt(1 - SHARED)
        field = x[:, places] @ weights if decide else hidden[:, :1] @ weights
        scale = np.sqrt((weights**2).sum(0).mean())
        return x, np.argmax(signal * field / scale + random.normal(size=(n, classes)), axis=1)

    return *draw(samples), *draw(NEW)


def judge(binary, samples, truth, classes, number):
    x, y, fresh, labels = table(samples, truth, classes, number)
    if len(np.unique(y)) < classes:
        return None
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for name, rows in (("x", x), ("new", fresh)):
            np.save(at / f"{name}.npy", rows.astype(np.float32))
        np.savetxt(at / "labels", y, fmt="%d")
        fitted = subprocess.run([binary, "fit", at / "x.npy", "--labels", at / "labels", "-o", at / "model", "-q", "--threads", "1"],
                                capture_output=True, text=True)
        if fitted.returncode not in (0, 4):
            raise SystemExit(fitted.stderr)
        told = subprocess.run([binary, "predict", at / "model", at / "new.npy", "--confidence", "0.9", "--json", "-q", "--threads", "1"],
                              capture_output=True, text=True)
        if told.returncode:
            raise SystemExit(told.stderr)
    rows = json.loads(told.stdout)["samples"]
    share = np.array([row["conformity"] for row in rows])
    error = np.mean([int(row["label"]) != truth for row, truth in zip(rows, labels)])
    out = [error]
    for rate in RATES:
        held = share > 1 - rate
        size = held.sum(1)
        out += [held[np.arange(NEW), labels].mean(), (size == 1).mean(), (size == 0).mean(), (size > 1).mean()]
    return out


def line(name, rows):
    rows = np.array(rows)
    mean, se = rows.mean(0), rows.std(0) / np.sqrt(len(rows))
    parts = [f"{rate}: held {mean[1 + 4 * k]:.3f} +- {se[1 + 4 * k]:.3f} (least {rows[:, 1 + 4 * k].min():.2f}), one {mean[2 + 4 * k]:.3f}, "
             f"none {mean[3 + 4 * k]:.3f}, several {mean[4 + 4 * k]:.3f}" for k, rate in enumerate(RATES)]
    print(f"{name:22} {len(rows):4} tables, error {mean[0]:.3f} | " + " | ".join(parts), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="build/release/cavity")
    arguments.add_argument("--tables", type=int, default=200, help="of each size, all truths together")
    arguments.add_argument("--samples", default="40,100")
    arguments.add_argument("--cores", type=int, default=1)
    arguments.add_argument("--out", type=Path)
    a = arguments.parse_args()
    kinds = [(truth, classes) for classes in (2, 3) for truth in TRUTHS]
    for samples in map(int, a.samples.split(",")):
        asked = [(samples, *kinds[number % len(kinds)], number) for number in range(a.tables)]
        found = {}
        with ThreadPoolExecutor(a.cores) as pool:
            for which, row in zip(asked, pool.map(lambda of: judge(a.binary, *of), asked)):
                if row is None:
                    continue
                found[which] = row
                if a.out:
                    with a.out.open("a") as file:
                        print(*which, *row, sep=",", file=file)
        for truth, classes in kinds:
            rows = [row for which, row in found.items() if which[1:3] == (truth, classes)]
            if rows:
                line(f"{samples} {truth} {classes} classes", rows)
        line(f"{samples} all", list(found.values()))
        if sure := [row for row in found.values() if row[0] < 0.05]:
            line(f"{samples} error below 5 %", sure)


if __name__ == "__main__":
    main()
