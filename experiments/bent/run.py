"""Boundaries that no weighted sum draws: what cavity's default fit makes of them.

    python experiments/bent/run.py --binary build/release/cavity [--truths ring,...] [--tables 50] [--splits 20] [--jobs 16] [--csv bent.csv]

Simulated: labels by a ring (x1^2 + x2^2 above its median) or a product (x1 x2 > 0) of two features among many, 5 % flipped,
nothing else in the table says anything. 500 samples of 250 features, independent or correlated (20 factors, half the
variance), and 300 of 2000, where too little is known for it: there the fit must stay at guessing. Real: digits (odd against
even) and breast_cancer of scikit-learn, two thirds to learn from. `lines` are tables without a bend: the share of bent cells
must be nothing. New samples: 2000 of a simulated table.
Of each truth: error on new samples (its mean; the share of tables with at most .20), leave-one-out less that, the share of
tables where bent cells have a part, where the two most relevant features are the two that decide, where leave-one-out says
"better than guessing". Needs numpy; scikit-learn for the real ones.
"""
import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from ask_cavity import ask, in_parallel, scores

FIELDS = ("truth", "number", "error", "log_loss", "loo_error", "loo_log_loss", "interval_high", "seconds", "share",
          "pruned_share", "both_first", "better")
SHAPES = {"": (500, 250, False), "-correlated": (500, 250, True), "-wide": (300, 2000, False)}
SIMULATED = [truth + shape for truth in ("ring", "product") for shape in SHAPES] + ["line", "nothing"]
REAL = ("digits", "breast_cancer")
FRESH = 2000


def simulated(name, number):
    """Values and labels, FRESH new samples at the end: which decide is told by their places."""
    truth, _, shape = name.partition("-")
    samples, features, correlated = SHAPES["-" + shape if shape else ""]
    random = np.random.default_rng([number, SIMULATED.index(name)])
    rows = samples + FRESH
    x = random.normal(size=(rows, features))
    if correlated:
        x = (x + random.normal(size=(rows, 20)) @ random.normal(size=(20, features)) / np.sqrt(20)) / np.sqrt(2)
    decide = random.choice(features, 2, replace=False)
    a, b = x[:, decide].T
    field = {"ring": lambda: a**2 + b**2 - np.median(a**2 + b**2), "product": lambda: a * b, "line": lambda: a - b,
             "nothing": lambda: random.normal(size=rows)}[truth]()  # fmt: skip
    label = (field > 0) ^ (random.random(rows) < 0.05)
    return x, label.astype(int), decide, np.arange(samples), np.arange(samples, rows)


def real(name, number):
    from sklearn.datasets import load_breast_cancer, load_digits

    x, y = load_digits(return_X_y=True) if name == "digits" else load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(number).permutation(len(y))
    cut = 2 * len(y) // 3
    return x, y % 2, None, order[:cut], order[cut:]


def one(binary, name, number):
    x, y, decide, train, test = real(name, number) if name in REAL else simulated(name, number)
    probability, classes, fit, seconds = ask(binary, x, y, train, test)
    boundary = fit["questions"][0]["boundary"]
    first = {r["name"] for r in boundary["relevant"][:2]}
    found = decide is not None and first == {f"x{l + 1}" for l in decide}
    high, guess = fit["loo_error_interval"][1], min(np.mean(y[train]), 1 - np.mean(y[train]))
    return (name, number, *scores(probability, classes, y[test]), fit["loo_error"], fit["loo_log_loss"], high, seconds,
            boundary["share"], boundary["pruned_share"], int(found), int(high < guess))


def summarise(rows):
    print("truth (tables): error +- s.e., log loss; leave-one-out less that; at most .20 in, bent in, both first in, better than guessing in; s")
    for name in [t for t in (*SIMULATED, *REAL) if any(r[0] == t for r in rows)]:
        v = {f: np.array([r[i] for r in rows if r[0] == name], dtype=float) for i, f in enumerate(FIELDS) if i >= 2}
        n = len(v["error"])
        print(f"{name} ({n}): {v['error'].mean():.4f} +- {v['error'].std(ddof=1) / np.sqrt(n) if n > 1 else np.nan:.4f}, "
              f"{v['log_loss'].mean():.4f}; {(v['loo_error'] - v['error']).mean():+.4f} "
              f"{(v['loo_log_loss'] - v['log_loss']).mean():+.4f}; {(v['error'] <= 0.2).mean():.2f} {(v['share'] > 0).mean():.2f} "
              f"{v['both_first'].mean():.2f} {v['better'].mean():.2f}; {v['seconds'].mean():.1f} {v['seconds'].max():.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--truths", default=",".join([*REAL, *SIMULATED]))
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, help="what has come after so many is told")
    parser.add_argument("--csv", default="bent.csv")
    a = parser.parse_args()
    truths = a.truths.split(",")
    # By number first: a run that is cut short has something of each.
    work = sorted([(i, t) for t in truths for i in range(a.splits if t in REAL else a.tables)], key=lambda w: w[0])
    summarise(in_parallel(one, [(a.binary, t, i) for i, t in work], a.jobs, a.csv, FIELDS, a.minutes))


if __name__ == "__main__":
    main()
