"""Test error and log loss of cavity's defaults against tuned scikit-learn classifiers, on the same random splits.

    python experiments/accuracy/run.py --binary build/release/cavity [--splits 20] [--sets colon,...] [--csv FILE] [--alone]

Needs numpy, scipy, pandas and scikit-learn; cv.glmnet takes part where Rscript finds glmnet. Baselines are tuned by 5-fold
cross-validation on the training part only. They see what is customary: of gene tables within-sample normal scores (what
cavity's default does too), of text tf-idf, otherwise the values; all but the text standardised on the training part.
cavity sees the values as they are; what its leave-one-out says of the same fits stands beside it. `--alone`: no others.
Tables: bench/known_tables.py.
"""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata
from sklearn.datasets import dump_svmlight_file
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from known_tables import GENES, TABLES

warnings.filterwarnings("ignore")


def normal_scores(x):
    table = norm.ppf((np.arange(1, x.shape[1] + 1) - 0.5) / x.shape[1])
    ranks = np.vstack([rankdata(row) for row in x])
    return np.interp(ranks, np.arange(1, x.shape[1] + 1), table)


def folds(seed):
    return StratifiedKFold(5, shuffle=True, random_state=seed)


def logistic(penalty, seed):
    return LogisticRegressionCV(Cs=np.logspace(-3, 2, 8), penalty=penalty, solver="liblinear", cv=folds(seed),
                                scoring="neg_log_loss", max_iter=500)


def linear_svm(seed):
    return GridSearchCV(LinearSVC(dual="auto", max_iter=5000), {"C": np.logspace(-6, 1, 8)}, cv=folds(seed))


def shrunken_centroids(seed):
    return GridSearchCV(NearestCentroid(), {"shrink_threshold": [None, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5]}, cv=folds(seed))


BASELINES = {
    "lasso": lambda seed: logistic("l1", seed),
    "ridge": lambda seed: logistic("l2", seed),
    "linear SVM": linear_svm,
    "shrunken centroids": shrunken_centroids,
    "random forest": lambda seed: RandomForestClassifier(500, random_state=seed),
}
GLMNET = """suppressMessages(library(glmnet)); a <- commandArgs(TRUE); set.seed(1)
read <- function(name, rows) matrix(readBin(file.path(a[1], name), "double", file.size(file.path(a[1], name)) / 8), rows, byrow = TRUE)
y <- scan(file.path(a[1], "labels"), quiet = TRUE); x <- read("train", length(y)); new <- read("test", as.integer(a[2]))
cat(predict(cv.glmnet(x, factor(y), family = "binomial"), new, s = "lambda.min", type = "response"), sep = "\n")"""


def glmnet(x, y, train, test):
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("train", train), ("test", test)):
            np.ascontiguousarray(x[rows], dtype=np.float64).tofile(Path(folder) / name)
        np.savetxt(Path(folder) / "labels", y[train].astype(int), fmt="%d")
        out = subprocess.run(["Rscript", "-e", GLMNET, folder, str(len(test))], capture_output=True, text=True, check=True)
    return np.array(out.stdout.split(), dtype=float)


def has_glmnet():
    return shutil.which("Rscript") and subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True).returncode == 0


def customary(name):
    """What baselines see of a table, after fitting on its training part."""
    if name == "pcmac":
        return make_pipeline(TfidfTransformer(), FunctionTransformer(lambda v: v.toarray()))
    return StandardScaler()


def scores(probability, positive):
    probability = np.clip(probability, 1e-6, 1 - 1e-6)
    error = np.mean((probability >= 0.5) != positive)
    return error, -np.mean(np.log(np.where(positive, probability, 1 - probability)))


def cavity(binary, x, y, train, test):
    """Probabilities of the test samples, and the leave-one-out error and log loss of the training ones."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        sparse = np.mean(x == 0) > 0.9
        for name, rows in (("train", train), ("test", test)):
            if sparse:
                dump_svmlight_file(x[rows], y[rows].astype(int), str(folder / name), zero_based=False)
            else:
                np.save(folder / f"{name}.npy", x[rows].astype(np.float32))
        (folder / "labels.txt").write_text("\n".join(map(str, y[train].astype(int))) + "\n")
        table = [folder / "train"] if sparse else [folder / "train.npy", "--labels", folder / "labels.txt"]
        fit = subprocess.run([binary, "fit", *table, "-o", folder / "m", "--quiet", "--json"], check=True,
                             capture_output=True, text=True)
        summary = json.loads(fit.stdout)
        out = subprocess.run([binary, "predict", folder / "m", folder / ("test" if sparse else "test.npy"), "--quiet"],
                             check=True, capture_output=True, text=True).stdout
        probability = np.array([float(line.split(",")[1]) for line in out.splitlines()[1:]])
        return probability, (summary["loo_error"], summary["loo_log_loss"])


def compare(name, split, x, y, binary, alone, with_glmnet):
    """A row a method: error and log loss, where it has probabilities."""
    order = np.random.default_rng(split).permutation(len(y))
    train, test = order[: 2 * len(y) // 3], order[2 * len(y) // 3 :]
    probability, left_out = cavity(binary, x, y, train, test)
    yield "cavity", *scores(probability, y[test])
    yield "cavity, leave-one-out", *left_out
    if alone:
        return
    view = customary(name)
    values = normal_scores(x) if name in GENES else x
    view.fit(values[train])
    z = view.transform(values)
    if with_glmnet:
        yield "cv.glmnet", *scores(glmnet(z, y, train, test), y[test])
    for method, make in BASELINES.items():
        model = make(split).fit(z[train], y[train])
        if hasattr(model, "predict_proba") and method != "shrunken centroids":
            yield method, *scores(model.predict_proba(z[test])[:, 1], y[test])
        else:
            yield method, np.mean(model.predict(z[test]) != y[test]), np.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--sets", default=",".join(TABLES))
    parser.add_argument("--csv", default="accuracy.csv")
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()
    with_glmnet = has_glmnet()
    rows = []
    for name in arguments.sets.split(","):
        x, label = TABLES[name]()
        x, y = np.asarray(x, dtype=float), label == sorted(set(label))[1]
        for split in range(arguments.splits):
            start = time.time()
            rows += [(name, split, *row) for row in compare(name, split, x, y, arguments.binary, arguments.alone, with_glmnet)]
            frame = pd.DataFrame(rows, columns=["set", "split", "method", "error", "log_loss"])
            frame.to_csv(arguments.csv, index=False)
            print(f"{name} {split}: {time.time() - start:.0f} s", flush=True)
    mean = frame.groupby(["method", "set"])[["error", "log_loss"]].mean().unstack("set")
    for figure in ("error", "log_loss"):
        table = mean[figure].dropna(how="all")
        print(f"\n{figure}\n{table.assign(mean=table.mean(axis=1)).round(3).to_string()}")


if __name__ == "__main__":
    main()
