"""Sparse data against cv.glmnet, in one run.

    python bench/sparse.py CAVITY OUT.json [SAMPLES FEATURES]      # 20000 x 200000, about 118 values a row

Text-like data: feature l is present with a probability that falls as 1/rank (Zipf), its value is ln(1 + count); 200
features of the first 20,000 carry weights, one label in twenty is flipped. cavity fits its default grid with the
leave-one-out error of every cell (CPU time of the whole process, reading included), cv.glmnet tunes its penalty over
10 folds (fit only). The leave-one-out error is set against the error on as many test samples, and against refits.
"""

import json
import pathlib
import sys
import tempfile

import numpy as np
from measure import measured

HERE = pathlib.Path(__file__).parent
A_ROW, INFORMATIVE, FLIPPED = 118, 200, 0.05


def make_rows(samples, features, weights, rng):
    """Rows as (columns, values), and their labels."""
    probability = 1 / np.arange(1, features + 1)
    cumulative = np.cumsum(probability / probability.sum())
    rows, scores = [], np.empty(samples)
    for i in range(samples):
        words = np.minimum(np.searchsorted(cumulative, rng.random(rng.poisson(A_ROW * 1.45))), features - 1)
        columns, counts = np.unique(words, return_counts=True)
        values = np.log1p(counts)
        rows.append((columns, values))
        scores[i] = weights[columns] @ values
    labels = scores > np.median(scores)
    return rows, np.where(rng.random(samples) < FLIPPED, ~labels, labels)


def write(path, rows, labels, features):
    with open(f"{path}.svm", "w") as out:
        for (columns, values), label in zip(rows, labels):
            out.write(f"{int(label)} " + " ".join(f"{c + 1}:{v:.5g}" for c, v in zip(columns, values)) + "\n")
    stored = sum(len(columns) for columns, _ in rows)
    with open(f"{path}.mtx", "w") as out:
        out.write(f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {features} {stored}\n")
        for i, (columns, values) in enumerate(rows):
            out.writelines(f"{i + 1} {c + 1} {v:.5g}\n" for c, v in zip(columns, values))
    pathlib.Path(f"{path}.lab").write_text("".join(f"{int(label)}\n" for label in labels))
    return stored / len(rows)


def run(cavity, samples, features):
    rng = np.random.default_rng(1)
    weights = np.zeros(features)
    weights[rng.choice(min(features, 20000), INFORMATIVE, replace=False)] = rng.normal(size=INFORMATIVE)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("train", "test"):
            a_row = write(f"{folder}/{name}", *make_rows(samples, features, weights, rng), features)
        print(f"{samples} x {features}, {a_row:.1f} values a row", flush=True)
        command = [cavity, "fit", f"{folder}/train.svm", "--json", "-q", "--threads", "1"]
        output, ours = measured([*command, "-o", f"{folder}/m.cavity"], accepted=(0, 4))
        fit = json.loads(output)
        asked = fit["questions"][0]
        ours |= {"loo_error": fit["loo_error"], "solver": fit["solver"], "cells": len(asked["grid"])}
        ours["converged"] = sum(cell["converged"] for cell in asked["grid"])
        predicted = json.loads(measured([cavity, "predict", f"{folder}/m.cavity", f"{folder}/test.svm", "--json", "-q"])[0])
        ours["test_error"] = float(np.mean([row["label"] != row["truth"] for row in predicted["samples"]]))
        chosen = asked["grid"][asked["chosen"]]
        refits, _ = measured([*command, "--solver", fit["solver"], "--density", str(chosen["density"]), "--noise",
                              str(chosen["noise"]), "--check-loo", "20"], accepted=(0, 4))  # fmt: skip
        ours["loo_check"] = json.loads(refits)["questions"][0]["loo_check"]
        peer = json.loads(measured(["Rscript", str(HERE / "sparse.R"), f"{folder}/train", f"{folder}/test"])[0])
    return {"samples": samples, "features": features, "cavity": ours, "glmnet": peer,
            "cpu_ratio": ours["cpu_s"] / peer["cpu_s"]}  # fmt: skip


if __name__ == "__main__":
    size = [int(x) for x in sys.argv[3:5]] or [20000, 200000]
    result = run(sys.argv[1], *size)
    print(json.dumps(result, indent=1))
    pathlib.Path(sys.argv[2]).write_text(json.dumps(result))
