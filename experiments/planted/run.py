"""Labels planted in real tables: one, two or three genes decide, one label in ten is flipped, 40 samples train.

    python experiments/planted/run.py --binary build/release/cavity --data ../shared/data [--splits 20] [--first 0]
        [--other BINARY]

Needs numpy, pandas and scikit-learn. Reports test error, log loss, leave-one-out error, the test error with classes as
common as in training, which is what leave-one-out speaks of (labels are half and half in the whole table, so that a class
with more samples in training has fewer in the test), the cross-validated lasso's error and log loss, and in which share of
the splits with credible sets the first one holds a planted gene, beside what it states. `--other` is a second binary for
comparison on the same splits.
"""
import argparse
import json
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegressionCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
TRAINING, FLIPS = 40, 0.1


def plant(x, genes, random):
    """Which genes decide, all labels, and an order of the samples whose first ones train."""
    candidates = np.flatnonzero(x.std(0) > 0)
    which = random.choice(candidates, genes, replace=False)
    ranks = pd.DataFrame(x[:, which]).rank().to_numpy()
    field = ((ranks - ranks.mean(0)) / ranks.std(0) * random.choice([-1, 1], genes)).sum(1)
    labels = (field >= np.median(field)) ^ (random.random(len(x)) < FLIPS)
    return which, labels, random.permutation(len(x))


def scores(probability, labels):
    p = np.clip(probability, 1e-6, 1 - 1e-6)
    return np.mean((probability >= 0.5) != labels), -np.mean(np.log(np.where(labels, p, 1 - p)))


def error_as_trained(probability, labels, trained):
    """The error with classes as common as among `trained`."""
    wrong = (probability >= 0.5) != labels
    return sum(wrong[labels == kind].mean() * np.mean(trained == kind) for kind in (False, True))


def cavity(binary, x, labels, train, test):
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for name, rows in (("train", train), ("test", test)):
            np.save(at / f"{name}.npy", x[rows])
        np.savetxt(at / "labels", labels[train].astype(int), fmt="%d")
        fitted = subprocess.run([binary, "fit", at / "train.npy", "--labels", at / "labels", "-o", at / "model", "--json", "-q"],
                                capture_output=True, text=True)
        if fitted.returncode not in (0, 4):
            raise SystemExit(fitted.stderr)
        predicted = subprocess.run([binary, "predict", at / "model", at / "test.npy"], capture_output=True, text=True, check=True)
    answer = json.loads(fitted.stdout)
    probability = np.array([float(line.split(",")[1]) for line in predicted.stdout.splitlines()[1:]])
    as_trained = error_as_trained(probability, labels[test], labels[train])
    return [*scores(probability, labels[test]), answer["loo_error"], as_trained], answer["credible_sets"]


def lasso(x, labels, train, test):
    model = make_pipeline(StandardScaler(), LogisticRegressionCV(
        Cs=np.logspace(-2, 1, 8), penalty="l1", solver="liblinear", cv=5, scoring="neg_log_loss", max_iter=500))
    model.fit(x[train], labels[train])
    return scores(model.predict_proba(x[test])[:, 1], labels[test])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--other")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--splits", type=int, default=20)
    arguments.add_argument("--first", type=int, default=0, help="number of the first split")
    arguments.add_argument("--sets", default="prostate,leukemia,breast")
    asked = arguments.parse_args()
    print("table genes binary error log_loss loo error_as_trained lasso_error lasso_log_loss covered stated sets")
    for name in asked.sets.split(","):
        table = pd.read_csv(asked.data / f"{name}.csv.gz").drop(columns="label").select_dtypes("number")
        x = table.fillna(table.mean()).to_numpy(np.float32)
        for genes in (1, 2, 3):
            found = {binary: [] for binary in (asked.binary, asked.other) if binary}
            covered, stated, usual = [], [], []
            for split in range(asked.first, asked.first + asked.splits):
                which, labels, order = plant(x, genes, np.random.default_rng([split, genes]))
                train, test = order[:TRAINING], order[TRAINING:]
                for binary, rows in found.items():
                    numbers, sets = cavity(binary, x, labels, train, test)
                    rows.append(numbers)
                    if binary == asked.binary and sets:
                        covered.append(bool({f"x{gene + 1}" for gene in which} & set(sets[0]["features"])))
                        stated.append(sets[0]["probability"])
                usual.append(lasso(x, labels, train, test))
            for binary, rows in found.items():
                numbers = [*np.mean(rows, 0), *np.mean(usual, 0)]
                if binary == asked.binary and covered:
                    numbers += [np.mean(covered), np.mean(stated)]
                print(name, genes, binary, *(f"{value:.3f}" for value in numbers), len(covered), flush=True)


if __name__ == "__main__":
    main()
