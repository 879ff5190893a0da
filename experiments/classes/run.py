"""Several classes: test error and log loss of cavity's defaults against tuned peers, on the same random splits.

    python experiments/classes/run.py --binary build/release/cavity [--splits 20] [--sets iris,...] [--jobs 16] [--csv FILE]

Stratified splits, two thirds train, at least one sample of each class; of `srbct4` and `lymphoma4` four samples of a class
at most. Peers are tuned by 5-fold cross-validation (as many folds as the rarest class allows, at least two) on the
training part: ridge (LogisticRegressionCV, multinomial, by log loss), linear SVM (C by accuracy), cv.glmnet (multinomial, lambda.min; it refuses
classes of one training sample, as lymphoma has) and shrunken centroids, all on values standardised on the training part.
cavity sees the values as they are. Needs numpy, pandas, scikit-learn, and Rscript with glmnet for that peer (`--glmnet N`:
in so many of the splits; `--alone`: no peer).
"""
import argparse
import io
import os
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from known_tables import shared

warnings.filterwarnings("ignore")
TABLES = {
    "srbct": lambda: shared("srbct"),
    "lymphoma": lambda: shared("lymphoma"),
    "wine": lambda: load_wine(return_X_y=True),
    "iris": lambda: load_iris(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "srbct4": lambda: shared("srbct"),
    "lymphoma4": lambda: shared("lymphoma"),
}
GLMNET = """suppressMessages(library(glmnet)); a <- commandArgs(TRUE); set.seed(1)
read <- function(name, rows) matrix(readBin(file.path(a[1], name), "double", file.size(file.path(a[1], name)) / 8), rows, byrow = TRUE)
y <- scan(file.path(a[1], "labels"), quiet = TRUE); x <- read("train", length(y)); new <- read("test", as.integer(a[2]))
p <- predict(cv.glmnet(x, factor(y), family = "multinomial", nfolds = 5), new, s = "lambda.min", type = "response")[,,1]
write.table(p, stdout(), row.names = FALSE, col.names = FALSE)"""


def split(y, seed, most=None):
    """Training and test samples: of every class two thirds train, and at least one; `most` at most."""
    random = np.random.default_rng(seed)
    train = np.zeros(len(y), bool)
    for one in np.unique(y):
        members = random.permutation(np.flatnonzero(y == one))
        count = max(1, round(2 * len(members) / 3))
        train[members[: min(count, most or count)]] = True
    return np.flatnonzero(train), np.flatnonzero(~train)


def scores(probability, truth):
    own = probability[np.arange(len(truth)), truth]
    return np.mean(probability.argmax(axis=1) != truth), -np.mean(np.log(np.maximum(own, 1e-6)))


def cavity(binary, x, y, train, test):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, rows in (("train", train), ("test", test)):
            np.save(folder / f"{name}.npy", x[rows].astype(np.float32))
        (folder / "labels.txt").write_text("\n".join(f"c{k}" for k in y[train]) + "\n")
        fit = [binary, "fit", folder / "train.npy", "--labels", folder / "labels.txt", "-o", folder / "m", "--quiet",
               "--threads", "1"]
        subprocess.run(fit, check=True)
        predict = [binary, "predict", folder / "m", folder / "test.npy", "--quiet"]
        answer = pd.read_csv(io.StringIO(subprocess.run(predict, check=True, capture_output=True, text=True).stdout))
    return answer[[f"p_c{k}" for k in range(y.max() + 1)]].to_numpy()


def glmnet(x, y, train, test):
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("train", train), ("test", test)):
            np.ascontiguousarray(x[rows], dtype=np.float64).tofile(Path(folder) / name)
        np.savetxt(Path(folder) / "labels", y[train], fmt="%d")
        out = subprocess.run(["Rscript", "-e", GLMNET, folder, str(len(test))], capture_output=True, text=True)
    if out.returncode != 0:
        return None
    return np.array([row.split() for row in out.stdout.splitlines()], dtype=float)


def mean_log_probability(model, x, y):
    """Of the classes that the training part of a fold has; the others count as one in a thousand."""
    at = {k: i for i, k in enumerate(model.classes_)}
    p = model.predict_proba(x)
    return np.mean([np.log(max(row[at[k]], 1e-6)) if k in at else np.log(1e-3) for row, k in zip(p, y)])


def ridge(seed):
    return LogisticRegressionCV(Cs=np.logspace(-4, 3, 8), cv=StratifiedKFold(5, shuffle=True, random_state=seed),
                                scoring=mean_log_probability, max_iter=300, tol=1e-3)


def centroids(seed):
    return GridSearchCV(NearestCentroid(), {"shrink_threshold": [None, 0.1, 0.3, 0.5, 1, 1.5, 2, 3, 4]},
                        cv=StratifiedKFold(5, shuffle=True, random_state=seed))


def linear_svm(y, seed):
    folds = int(np.clip(np.bincount(y)[np.bincount(y) > 0].min(), 2, 5))
    return GridSearchCV(LinearSVC(dual="auto", max_iter=5000), {"C": np.logspace(-6, 1, 8)},
                        cv=StratifiedKFold(folds, shuffle=True, random_state=seed))


def compare(x, y, seed, binary, with_glmnet, alone, most):
    train, test = split(y, seed, most)
    yield "cavity", *scores(cavity(binary, x, y, train, test), y[test])
    if alone:
        return
    z = StandardScaler().fit(x[train]).transform(x)
    yield "ridge", *scores(ridge(seed).fit(z[train], y[train]).predict_proba(z[test]), y[test])
    yield "shrunken centroids", np.mean(centroids(seed).fit(z[train], y[train]).predict(z[test]) != y[test]), np.nan
    yield "linear SVM", np.mean(linear_svm(y[train], seed).fit(z[train], y[train]).predict(z[test]) != y[test]), np.nan
    answer = glmnet(z, y, train, test) if with_glmnet else None
    if answer is not None:
        yield "cv.glmnet", *scores(answer, y[test])


def one_split(name, seed, binary, with_glmnet, alone):
    x, label = TABLES[name]()
    x, y = np.asarray(x, dtype=float), np.unique(label, return_inverse=True)[1]
    return [(name, seed, *row) for row in compare(x, y, seed, binary, with_glmnet, alone, 4 if name.endswith("4") else None)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--glmnet", type=int, default=20)
    parser.add_argument("--sets", default=",".join(TABLES))
    parser.add_argument("--csv", default="classes.csv")
    parser.add_argument("--alone", action="store_true", help="no peers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    a = parser.parse_args()
    rows = []
    pool = ProcessPoolExecutor(a.jobs)
    names = a.sets.split(",")
    splits = {name: [pool.submit(one_split, name, seed, a.binary, seed < a.glmnet, a.alone) for seed in range(a.splits)]
              for name in sorted(names, key=lambda name: name != "digits")}  # the longest first
    for name in names:
        for done in splits[name]:
            rows += done.result()
            frame = pd.DataFrame(rows, columns=["set", "split", "method", "error", "log_loss"])
            frame.to_csv(a.csv, index=False)
        figures = frame[frame["set"] == name].groupby("method")[["error", "log_loss"]].agg(["mean", "sem", "count"])
        print(f"{name}\n{figures.round(4).to_string()}", flush=True)
    mean = frame.groupby(["method", "set"])[["error", "log_loss"]].mean().groupby("method").agg(["mean", "count"])
    print(f"mean of the tables\n{mean.round(4).to_string()}")


if __name__ == "__main__":
    main()
