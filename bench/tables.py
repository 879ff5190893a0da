"""One default fit of cavity against one cv.glmnet on the tables that people have, CPU seconds, one thread, one run.

    python bench/tables.py CAVITY OUT.json [TABLE ...]

cavity is timed twice, reading included: `--solver ep` (text: `--solver gamp`), which is all but the sampled cells of few
kept features, and the default. cv.glmnet (10 folds, lasso) is timed without reading. Tables of ../shared/data are skipped
where that folder is missing (CAVITY_DATA names another).
"""

import json
import pathlib
import sys
import tempfile

import numpy as np
from known_tables import DATA, TABLES
from measure import measured

CAVITY, OUT = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent


def run_cavity(table, name, *options):
    where = [str(DATA / "pcmac.svm.gz")] if name == "pcmac" else [f"{table}/x.npy", "--labels", f"{table}/labels"]
    output, used = measured([CAVITY, "fit", *where, *options, "--json", "--threads", "1", "-q"])
    fit = json.loads(output)
    visited = [cell for asked in fit["questions"] for cell in asked["grid"] if cell["status"] != "not visited"]
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
