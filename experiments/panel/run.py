"""Panels of few features: what they cost on new samples, against what their price says and against other short lists.

    python experiments/panel/run.py --binary build/release/cavity --data ../shared/data [--sets colon,...] [--splits 10] [--planted 0]

Random splits, two thirds train. By size: the error of `cavity panel` on new samples, the error that its price states, and
on the same split the errors of a projection in ranks within each sample (which needs all features of a new sample; of two
classes), of the most included features of the fit, and of a forward search on the labels, the last two refitted to the
labels with the same ridge. Then the mean over tables with the standard error of the mean differences, by splits.
`--planted N`: instead N tables of 100 samples x 1000 features whose label is the sign of the sum of three of them, one
label in ten flipped (`--flips`): in how many the panel of three holds two of them, or features correlated above 0.9 with
them. Needs numpy, pandas and scipy.
"""
import argparse
import io
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm, rankdata

SIZES, RIDGE = [1, 2, 3, 5, 10, 20], 0.005


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(done.stderr)
    return done.stdout


def predicted(binary, model, data):
    return pd.read_csv(io.StringIO(run(binary, "predict", model, data)))


def normal_scores(x):
    table = norm.ppf((np.arange(1, x.shape[1] + 1) - 0.5) / x.shape[1])
    return np.interp(np.vstack([rankdata(row) for row in x]), np.arange(1, x.shape[1] + 1), table)


def standardised(x, train):
    spread = x[train].std(0)
    return (x - x[train].mean(0)) / np.where(spread > 0, spread, np.inf)


def refit(a, q, w):
    penalty = RIDGE * len(a) * np.r_[1e-4, np.ones(len(w) - 1)]
    for _ in range(50):
        p = expit(a @ w)
        step = np.linalg.solve((a.T * (p * (1 - p))) @ a + np.diag(penalty), a.T @ (q - p) - penalty * w)
        w = w + step * min(1, 5 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return w


def forward(z, q):
    """The path of a projection of q, with the weights of every size."""
    a, w, path, out = np.ones((len(z), 1)), np.zeros(1), [], {}
    for size in range(1, max(SIZES) + 1):
        w = refit(a, q, w)
        p = expit(a @ w)
        v = p * (1 - p) + 1e-6
        crossed = (a * v[:, None]).T @ z
        seen = np.linalg.solve((a.T * v) @ a + 1e-9 * np.eye(size), crossed)
        gain = (z.T @ (q - p)) ** 2 / ((z * z).T @ v - (crossed * seen).sum(0) + RIDGE * len(z))
        gain[path] = -1
        path.append(int(gain.argmax()))
        a, w = np.c_[a, z[:, path[-1]]], np.r_[w, 0]
        if size in SIZES:
            out[size] = (list(path), refit(a, q, w))
    return out


def errors(z, test, y, panels):
    return [np.mean((w[0] + z[test][:, path] @ w[1:] > 0) != y[test]) for path, w in (panels[s] for s in SIZES)]


def split_errors(a, table, x, seed, at):
    names, y = np.unique(table.label, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(y))
    cut = round(2 / 3 * len(y))
    train, test = np.sort(order[:cut]), np.sort(order[cut:])
    table.iloc[train].to_csv(at / "train.csv", index=False)
    table.iloc[test].to_csv(at / "test.csv", index=False)
    said = json.loads(run(a.binary, "panel", at / "train.csv", "--sizes", ",".join(map(str, SIZES)), "--json", "-q", "--threads", a.threads,
                          "-o", at / "panel.{size}"))
    came = []
    for size in SIZES:
        called = predicted(a.binary, at / f"panel.{min(size, len(said['path']))}", at / "test.csv")
        came.append(np.mean(called.label.astype(str).to_numpy() != names[y[test]].astype(str)))
    stated = [said["sizes"][size - 1]["error"] for size in SIZES]
    out = {"panel": came, "stated": stated, "loss over whole": [said["sizes"][size - 1]["log_loss_more"] for size in SIZES]}
    if len(names) > 2:
        return out
    run(a.binary, "fit", at / "train.csv", "-o", at / "whole", "-q", "--threads", a.threads)
    q = predicted(a.binary, at / "whole", at / "train.csv").probability.to_numpy()
    ranks = standardised(normal_scores(x), train)
    out["projection in ranks"] = errors(ranks, test, y, forward(ranks[train], q))
    out["labels in ranks"] = errors(ranks, test, y, forward(ranks[train], y[train].astype(float)))
    listed = pd.Series(run(a.binary, "features", at / "whole").splitlines()[1:]).str.split(",").str[0]
    place = {name: l for l, name in enumerate(table.columns[1:])}
    top = [place[name] for name in listed[: max(SIZES)]]
    out["most included"] = errors(ranks, test, y, {
        s: (top[:s], refit(np.c_[np.ones(len(train)), ranks[train][:, top[:s]]], y[train].astype(float), np.zeros(s + 1))) for s in SIZES})
    return out


def planted(a, at):
    hits = []
    for seed in range(a.planted):
        random = np.random.default_rng([seed, 3])
        x = random.normal(size=(100, 1000)).astype(np.float32)
        which = random.choice(1000, 3, replace=False)
        labels = (x[:, which] @ random.choice([-1, 1], 3) > 0) ^ (random.random(100) < a.flips)
        np.save(at / "x.npy", x)
        np.savetxt(at / "labels", labels.astype(int), fmt="%d")
        said = json.loads(run(a.binary, "panel", at / "x.npy", "--labels", at / "labels", "--most", 3, "--folds", 2, "--json", "-q", "--threads", a.threads))
        chosen = [int(name[1:]) - 1 for name in said["path"]]
        alike = np.abs(np.corrcoef(x.T[[*which, *chosen]]))[:3, 3:].max(1)
        hits.append(np.sum(alike > 0.9))
    share = np.mean(np.array(hits) >= 2)
    print(f"planted, flips {a.flips}: {share:.2f} +- {np.sqrt(share * (1 - share) / len(hits)):.2f} of {len(hits)} tables; three in {np.mean(np.array(hits) == 3):.2f}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--sets", default="colon,leukemia,prostate,breast,srbct")
    arguments.add_argument("--splits", type=int, default=10)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--planted", type=int, default=0)
    arguments.add_argument("--flips", type=float, default=0.1)
    arguments.add_argument("--threads", type=int, default=1)
    a = arguments.parse_args()
    everything = {}
    with tempfile.TemporaryDirectory() as folder:
        if a.planted:
            return planted(a, Path(folder))
        print("table, what, error at sizes", *SIZES)
        for name in a.sets.split(","):
            table = pd.read_csv(a.data / f"{name}.csv.gz")
            x = table.drop(columns="label").to_numpy(float)
            rows = {}
            for seed in range(a.first, a.first + a.splits):
                for what, values in split_errors(a, table, x, seed, Path(folder)).items():
                    rows.setdefault(what, []).append(values)
            for what, values in rows.items():
                print(f"{name:9} {what:20}", *(f"{v:6.3f}" for v in np.mean(values, 0)), flush=True)
                everything.setdefault(what, []).append(values)
    panel, stated = everything["panel"], everything["stated"]
    off = np.array(stated) - np.array(panel)
    print("stated - came, all tables     ", *(f"{m:+.3f}+-{s:.3f}" for m, s in zip(off.mean((0, 1)), off.mean(0).std(0) / np.sqrt(a.splits))))
    two = [k for k, name in enumerate(a.sets.split(",")) if name != "srbct"]
    for what in ("projection in ranks", "labels in ranks", "most included"):
        off = np.array([panel[k] for k in two]) - np.array(everything[what])
        print(f"panel - {what:20}  ", *(f"{m:+.3f}+-{s:.3f}" for m, s in zip(off.mean((0, 1)), off.mean(0).std(0) / np.sqrt(a.splits))))


if __name__ == "__main__":
    main()
