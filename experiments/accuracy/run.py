"""Test error and log loss of cavity's defaults against tuned scikit-learn classifiers, on the same random splits.

    python experiments/accuracy/run.py --binary build/release/cavity --data ../shared/data [--splits 20] [--sets colon,...]

Needs numpy, scipy, pandas and scikit-learn. Baselines see within-sample normal scores, standardised on the training
part (what cavity's default does too), and are tuned by 5-fold cross-validation on the training part only.
"""
import argparse
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")


def normal_scores(x):
    table = norm.ppf((np.arange(1, x.shape[1] + 1) - 0.5) / x.shape[1])
    ranks = np.vstack([rankdata(row) for row in x])
    return np.interp(ranks, np.arange(1, x.shape[1] + 1), table)


def folds(seed):
    return StratifiedKFold(5, shuffle=True, random_state=seed)


def l1_logistic(seed):
    return make_pipeline(StandardScaler(), LogisticRegressionCV(
        Cs=np.logspace(-2, 1, 8), penalty="l1", solver="liblinear", cv=folds(seed), scoring="neg_log_loss", max_iter=500))


def linear_svm(seed):
    return make_pipeline(StandardScaler(), GridSearchCV(
        LinearSVC(dual=True, max_iter=5000), {"C": np.logspace(-6, 0, 7)}, cv=folds(seed)))


def shrunken_centroids(seed):
    return make_pipeline(StandardScaler(), GridSearchCV(
        NearestCentroid(), {"shrink_threshold": [None, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5]}, cv=folds(seed)))


def random_forest(seed):
    return RandomForestClassifier(500, random_state=seed)


BASELINES = {"l1-logistic": l1_logistic, "linear SVM": linear_svm, "shrunken centroids": shrunken_centroids,
             "random forest": random_forest}


def scores(probability, positive):
    probability = np.clip(probability, 1e-6, 1 - 1e-6)
    error = np.mean((probability >= 0.5) != positive)
    return error, -np.mean(np.log(np.where(positive, probability, 1 - probability)))


def cavity(binary, x, y, train, test):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        np.save(folder / "train.npy", x[train].astype(np.float32))
        np.save(folder / "test.npy", x[test].astype(np.float32))
        (folder / "labels.txt").write_text("\n".join(map(str, y[train].astype(int))) + "\n")
        subprocess.run([binary, "fit", folder / "train.npy", "--labels", folder / "labels.txt", "-o", folder / "m",
                        "--quiet"], check=True)
        out = subprocess.run([binary, "predict", folder / "m", folder / "test.npy"], check=True, capture_output=True,
                             text=True).stdout
        return np.array([float(line.split(",")[1]) for line in out.splitlines()[1:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--sets", default="colon,leukemia,prostate,breast")
    parser.add_argument("--csv", default="accuracy.csv")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.sets.split(","):
        table = pd.read_csv(Path(arguments.data) / f"{name}.csv.gz")
        x, label = table.drop(columns="label").to_numpy(float), table["label"].to_numpy()
        y = label == sorted(set(label))[1]
        z = normal_scores(x)
        for split in range(arguments.splits):
            order = np.random.default_rng(split).permutation(len(y))
            cut = 2 * len(y) // 3
            train, test = order[:cut], order[cut:]
            start = time.time()
            rows.append((name, split, "cavity", *scores(cavity(arguments.binary, x, y, train, test), y[test])))
            spent = time.time() - start
            for method, make in BASELINES.items():
                model = make(split).fit(z[train], y[train])
                if hasattr(model, "predict_proba") and method in ("l1-logistic", "random forest"):
                    rows.append((name, split, method, *scores(model.predict_proba(z[test])[:, 1], y[test])))
                else:
                    rows.append((name, split, method, np.mean(model.predict(z[test]) != y[test]), np.nan))
            print(f"{name} {split}: cavity {rows[-5][3]:.3f} ({spent:.0f} s), l1 {rows[-4][3]:.3f}", flush=True)
        frame = pd.DataFrame(rows, columns=["set", "split", "method", "error", "log_loss"])
        frame.to_csv(arguments.csv, index=False)
    mean = frame.groupby(["set", "method"])[["error", "log_loss"]].mean().unstack("method")
    print(mean["error"].round(4).to_string(), "\n\nlog loss\n", mean["log_loss"].dropna(axis=1).round(4).to_string())


if __name__ == "__main__":
    main()
