"""One default fit of cavity against one cv.glmnet on the tables that people have, CPU seconds, one thread, one run.

    python bench/tables.py CAVITY OUT.json [TABLE ...]

cavity is timed twice, reading included: `--solver ep` (text: `--solver gamp`), which is all but the sampled cells of few
kept features, and the default. cv.glmnet (10 folds, lasso) is timed without reading. Tables of ../shared/data are skipped
where that folder is missing (CAVITY_DATA names another).
"""

import json
import os
import pathlib
import sys
import tempfile

import numpy as np
from measure import measured

CAVITY, OUT = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path(os.environ.get("CAVITY_DATA", HERE / "../../shared/data"))


def shared(name):
    import pandas as pd

    table = pd.read_csv(DATA / f"{name}.csv.gz")
    return table.drop(columns="label").to_numpy(np.float32), table["label"].to_numpy()


def cancer():
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


def digits():
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    return x, y % 2


def correlated():
    """500 x 5000, half of the variance in 20 factors, 50 features behind the labels, 3 % flips."""
    random = np.random.default_rng(3)
    x = random.normal(size=(500, 20)) @ random.normal(size=(20, 5000)) / np.sqrt(20) + random.normal(size=(500, 5000))
    weight = np.zeros(5000)
    weight[random.choice(5000, 50, replace=False)] = random.normal(size=50)
    field = x @ weight
    labels = field + 0.3 * field.std() * random.normal(size=500) > 0
    return x, (labels ^ (random.random(500) < 0.03)).astype(int)


def text():
    import gzip

    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(gzip.open(DATA / "pcmac.svm.gz"))
    return x.toarray(), y.astype(int)


TABLES = {name: (lambda name=name: shared(name)) for name in ("colon", "leukemia", "prostate", "breast", "arcene")}
TABLES |= {"pcmac": text, "madelon": lambda: shared("madelon"), "breast_cancer": cancer, "digits": digits,
           "500x5000": correlated}  # fmt: skip


def run_cavity(table, name, *options):
    where = [str(DATA / "pcmac.svm.gz")] if name == "pcmac" else [f"{table}/x.npy", "--labels", f"{table}/labels"]
    output, used = measured([CAVITY, "fit", *where, *options, "--json", "--threads", "1", "-q"])
    fit = json.loads(output)
    visited = [cell for cell in fit["grid"] if cell["status"] != "not visited"]
    settled = sum(cell["usable"] for cell in visited)
    return used["cpu_s"], len(visited), settled, fit["loo_error"]


def run_glmnet(table, shape):
    files = [f"{table}/{name}" for name in ("x.bin", "labels", "x.bin", "labels")]
    rows, columns = map(str, shape)
    output, _ = measured(["Rscript", str(HERE / "peers.R"), *files, rows, rows, columns])
    return json.loads(output)["cpu_s"]


def main():
    rows = {}
    print(f"{'table':<14} {'size':>12} {'cv.glmnet':>9} {'ep, gamp':>9} {'ratio':>6} {'default':>8} {'ratio':>6}  cells, converged")
    for name in sys.argv[3:] or TABLES:
        try:
            x, y = TABLES[name]()
        except FileNotFoundError as missing:
            print(f"{name}: skipped, {missing}")
            continue
        with tempfile.TemporaryDirectory() as table:
            x = np.ascontiguousarray(x, dtype=np.float32)
            np.save(f"{table}/x.npy", x)
            x.tofile(f"{table}/x.bin")
            pathlib.Path(f"{table}/labels").write_text("".join(f"{label}\n" for label in y))
            peer = run_glmnet(table, x.shape)
            bare, *_ = run_cavity(table, name, "--solver", "gamp" if name == "pcmac" else "ep")
            cpu, cells, converged, error = run_cavity(table, name)
        rows[name] = {"size": x.shape, "glmnet": peer, "bare": bare, "default": cpu, "cells": cells, "converged": converged,
                      "loo_error": error}  # fmt: skip
        size = f"{x.shape[0]} x {x.shape[1]}"
        print(f"{name:<14} {size:>12} {peer:9.2f} {bare:9.2f} {bare / peer:6.2f} {cpu:8.2f} {cpu / peer:6.2f}  {cells}, {converged}",
              flush=True)  # fmt: skip
    pathlib.Path(OUT).write_text(json.dumps(rows, indent=1))


main()
