"""Tables in which there is nothing to find: what does a fit say of them?

    python experiments/nothing/run.py --binary build/release/cavity [--tables 50] [--first 0] [--data ../shared/data]

Needs numpy and pandas. Pure noise of four shapes with classes of one size and, where there is data, real tables whose
labels are dealt anew. Prints by shape, with its standard error, the share of tables with: a permutation p below .05 (and
of its two parts), an inclusion of a half or more, a list at a false rate of 0.2 that is not empty, and a 95 % interval of
the error that lies wholly below always guessing; and the mean log loss on 200 new samples (of noise; a coin: .693).
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

SHAPES = [(40, 500), (40, 2000), (60, 1000), (100, 200)]
TABLES = ["colon", "prostate", "breast", "srbct"]
NEW = 200


def run(binary, at, labels):
    np.savetxt(at / "labels", labels, fmt="%s")
    fitted = subprocess.run([binary, "fit", at / "x.npy", "--labels", at / "labels", "-o", at / "model", "--json", "-q"],
                            capture_output=True, text=True)
    if fitted.returncode not in (0, 4):
        raise SystemExit(fitted.stderr)
    answer = json.loads(fitted.stdout)
    listed = subprocess.run([binary, "features", at / "model", "--fdr", "0.2"], capture_output=True, text=True, check=True)
    test = answer["permutation"]
    return [test["p"] < 0.05, test["p_together"] < 0.05, test["p_strongest"] < 0.05,
            answer["top_features"][0]["inclusion"] >= 0.5, len(listed.stdout.splitlines()) > 1,
            answer["loo_error_interval"][1] < answer["guessing"]["error"]]


def loss_of_new(binary, at, random, features):
    np.save(at / "new.npy", random.normal(size=(NEW, features)).astype(np.float32))
    said = subprocess.run([binary, "predict", at / "model", at / "new.npy"], capture_output=True, text=True, check=True)
    p = np.array([float(line.split(",")[1]) for line in said.stdout.splitlines()[1:]])
    return -np.mean(np.log(np.where(random.random(NEW) < 0.5, p, 1 - p)))


def show(name, rows, losses=()):
    rows = np.array(rows, dtype=float)
    share, error = rows.mean(0), rows.std(0) / np.sqrt(len(rows))
    words = " ".join(f"{s:6.3f}+-{e:.3f}" for s, e in zip(share, error))
    loss = f" {np.mean(losses):.3f}+-{np.std(losses) / np.sqrt(len(losses)):.3f}" if len(losses) else ""
    print(f"{name:<12} {words}{loss}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--first", type=int, default=0, help="number of the first table")
    a = arguments.parse_args()
    print(f"{'':<12} {'p<.05':>13} {'together':>13} {'strongest':>13} {'inclusion>=.5':>13} {'list':>13} {'interval':>13} loss")
    numbers = range(a.first, a.first + a.tables)
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for samples, features in SHAPES:
            rows, losses = [], []
            for number in numbers:
                random = np.random.default_rng([samples, features, number])
                np.save(at / "x.npy", random.normal(size=(samples, features)).astype(np.float32))
                rows.append(run(a.binary, at, random.permutation(np.arange(samples) % 2)))
                losses.append(loss_of_new(a.binary, at, random, features))
            show(f"{samples} x {features}", rows, losses)
        for name in TABLES if a.data else []:
            table = pd.read_csv(a.data / f"{name}.csv.gz")
            labels = table.pop("label").to_numpy()
            np.save(at / "x.npy", table.to_numpy(np.float32))
            show(name, [run(a.binary, at, np.random.default_rng(number).permutation(labels)) for number in numbers])


if __name__ == "__main__":
    main()
