"""Do the 95 % intervals of error and AUC hold the fitted classifier's own, on new samples?

    python experiments/nothing/coverage.py --binary build/release/cavity [--tables 50] [--first 0]

Needs numpy. Simulated tables of 300 features with ten common factors; none, five weak or three strong features decide. Prints
by samples and signal: the shares of tables whose intervals hold the error and the AUC on 2000 new samples (within .005, what
2000 samples leave open), the mean and sd of leave-one-out error less the true one, the true one, and the interval's width.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

FEATURES, FACTORS, SHARED, NEW, OPEN = 300, 10, 0.3, 2000, 0.005
SIGNALS = {"none": (0, 5), "weak": (1.2, 5), "strong": (6, 3)}  # field's sd over the noise's, features that decide


def auc(score, labels):
    order = np.argsort(score, kind="stable")
    rank = np.empty(len(score))
    rank[order] = np.arange(1, len(score) + 1)
    positives = labels.sum()
    return (rank[labels].sum() - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))


def table(samples, signal, decide, number):
    random = np.random.default_rng([samples, int(10 * signal), number])
    loadings = random.normal(size=(FACTORS, FEATURES)) * np.sqrt(SHARED / FACTORS)
    weights = np.zeros(FEATURES)
    weights[random.choice(FEATURES, decide, replace=False)] = random.normal(size=decide)
    draw = lambda n: random.normal(size=(n, FACTORS)) @ loadings + random.normal(size=(n, FEATURES)) * np.sqrt(1 - SHARED)
    x, fresh = draw(samples), draw(NEW)
    scale = (fresh @ weights).std()
    label = lambda rows: signal * (rows @ weights) / scale + random.normal(size=len(rows)) > 0
    return x, label(x), fresh, label(fresh)


def judge(binary, at, x, y, fresh, truth):
    for name, rows in (("x", x), ("new", fresh)):
        np.save(at / f"{name}.npy", rows.astype(np.float32))
    np.savetxt(at / "labels", y.astype(int), fmt="%d")
    fitted = subprocess.run([binary, "fit", at / "x.npy", "--labels", at / "labels", "-o", at / "model", "--json", "-q"],
                            capture_output=True, text=True)
    if fitted.returncode not in (0, 4):
        raise SystemExit(fitted.stderr)
    answer = json.loads(fitted.stdout)
    said = subprocess.run([binary, "predict", at / "model", at / "new.npy"], capture_output=True, text=True, check=True)
    p = np.array([float(line.split(",")[1]) for line in said.stdout.splitlines()[1:]])
    error, area = np.mean((p > 0.5) != truth), auc(p, truth)
    low, high = answer["loo_error_interval"]
    below, above = answer["questions"][0]["auc_interval"]
    return [low - OPEN <= error <= high + OPEN, below - OPEN <= area <= above + OPEN, answer["loo_error"] - error, error, high - low]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--first", type=int, default=0, help="number of the first table")
    a = arguments.parse_args()
    print("samples signal error_held +- auc_held +- difference sd true width")
    with tempfile.TemporaryDirectory() as folder:
        for samples in (40, 60, 150):
            for name, (signal, decide) in SIGNALS.items():
                rows = np.array([judge(a.binary, Path(folder), *table(samples, signal, decide, number))
                                 for number in range(a.first, a.first + a.tables)], dtype=float)
                mean, error = rows.mean(0), rows.std(0) / np.sqrt(len(rows))
                print(samples, name, *(f"{v:.3f}" for v in (mean[0], error[0], mean[1], error[1], mean[2], rows[:, 2].std(),
                                                            mean[3], mean[4])), flush=True)


if __name__ == "__main__":
    main()
