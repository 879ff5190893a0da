"""The benchmark of TabPFN-Wide on its own folds: cavity's default fit beside the published models.

    python experiments/wide/run.py --binary build/release/cavity [--tables colon,...] [--folds N] [--jobs 16] [--csv wide.csv]

Three folds, ten times (three times from 2500 samples on), two thirds to learn from. The others' figures are quoted, not run:
`wide/published.csv` of the data folder, from the stored predictions of github.com/not-a-feature/TabPFN-Wide-dev; their
log loss is of probabilities clipped at 1e-4, and so is ours. A line a table: error, log loss, what leave-one-out says of the
same fits less what came, seconds of a fit on one thread, and the figures of the others on the same folds. Needs numpy,
pandas, scipy and scikit-learn. Data: CAVITY_DATA, else ../shared/data.
"""
import argparse
import csv
import gzip
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np

HERE = Path(__file__)
sys.path.append(str(HERE.parents[1]))
from ask_cavity import ask, in_parallel, scores

DATA = Path(os.environ.get("CAVITY_DATA", HERE.parents[3] / "shared" / "data"))
TABLES = {"colon": "wide/colon.csv.gz", "leukemia": "wide/leukemia.csv.gz", "prostate_ge": "wide/prostate_ge.csv.gz",
          "arcene": "arcene.csv.gz", "pcmac": "pcmac.svm.gz", "madelon": "madelon.csv.gz"}
FIELDS = ("table", "fold", "model", "error", "log_loss", "loo_error", "loo_log_loss", "seconds", "bent_share", "pruned_share")


def read(name):
    if TABLES[name].endswith(".svm.gz"):
        from sklearn.datasets import load_svmlight_file

        x, y = load_svmlight_file(gzip.open(DATA / TABLES[name]))
        return x, y.astype(int)
    import pandas as pd

    table = pd.read_csv(DATA / TABLES[name])
    return table.drop(columns="label").to_numpy(np.float32), table["label"].to_numpy()


def folds(x, y):
    """The shuffled table and the benchmark's folds of it."""
    from sklearn.model_selection import RepeatedStratifiedKFold
    from sklearn.utils import shuffle

    x, y = shuffle(x, y, random_state=42)
    repeats = 10 if len(y) < 2500 else 3
    return x, y, list(RepeatedStratifiedKFold(n_splits=3, n_repeats=repeats, random_state=42).split(x, y))


def one_fold(binary, name, fold):
    x, y, parts = folds(*read(name))
    train, test = parts[fold]
    probability, classes, fit, seconds = ask(binary, x, y, train, test)
    boundary = fit["questions"][0]["boundary"]
    return (name, fold, "cavity", *scores(probability, classes, y[test]), fit["loo_error"], fit["loo_log_loss"], seconds,
            boundary["share"], boundary["pruned_share"])


def published():
    """(table, model, fold): error and log loss."""
    with open(DATA / "wide" / "published.csv") as file:
        return {(r["table"], r["model"], int(r["fold"])): (float(r["error"]), float(r["log_loss"]))
                for r in csv.DictReader(file)}


def spread(values):
    return np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan


def summarise(rows, quoted):
    if not rows:
        return
    models = sorted({model for _, model, _ in quoted})
    means = {}
    print("table (folds): error +- s.e., log loss; leave-one-out less that; s a fit, longest; share of bent cells | others: error, log loss")
    for name in [t for t in TABLES if any(r[0] == t for r in rows)]:
        own = [r for r in rows if r[0] == name]
        column = {field: np.array([r[i] for r in own], dtype=float) for i, field in enumerate(FIELDS) if i >= 3}
        error, loss = column["error"], column["log_loss"]
        means[name] = {"cavity": (error.mean(), loss.mean())}
        for model in models:
            means[name][model] = tuple(np.mean([quoted[name, model, r[1]] for r in own], axis=0))
        others = "  ".join(f"{m} {e:.3f} {l:.3f}" for m, (e, l) in means[name].items() if m != "cavity")
        print(f"{name} ({len(own)}): {error.mean():.4f} +- {spread(error):.4f}, {loss.mean():.4f}; "
              f"{(column['loo_error'] - error).mean():+.4f} {(column['loo_log_loss'] - loss).mean():+.4f}; "
              f"{column['seconds'].mean():.1f} {column['seconds'].max():.1f}; {column['bent_share'].mean():.2f} | {others}")
    best = {name: min(e for m, (e, _) in figures.items() if m != "cavity") for name, figures in means.items()}
    for model in ("cavity", *models):
        error, loss = np.mean([figures[model] for figures in means.values()], axis=0)
        behind = max(figures[model][0] - best[name] for name, figures in means.items())
        print(f"mean of {len(means)} tables: {model}: error {error:.4f}, log loss {loss:.4f}, at most {behind:+.4f} behind the best other")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--folds", type=int, default=30, help="the first so many of each table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, help="what has come after so many is told")
    parser.add_argument("--csv", default="wide.csv")
    a = parser.parse_args()
    quoted = published()
    # The longest first.
    order = [n for n in ("madelon", "arcene", "pcmac", "prostate_ge", "leukemia", "colon") if n in a.tables.split(",")]
    work = [(n, f) for n in order for f in range(min(a.folds, sum(k[:2] == (n, "random-forest") for k in quoted)))]
    summarise(in_parallel(one_fold, [(a.binary, *w) for w in work], a.jobs, a.csv, FIELDS, a.minutes), quoted)


if __name__ == "__main__":
    main()
