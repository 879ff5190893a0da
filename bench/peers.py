"""The whole grid against what people use today, in one run: the table of `make bench`.

    python bench/peers.py CAVITY OUT.json [CASE ...]      # cases: colon 2000x2000 500x50000 5000x20000

Each case is split into training and test samples. cavity fits its full 36-cell grid with the leave-one-out error of every
cell (CPU time of the whole process, reading included); cv.glmnet (10 folds) and LogisticRegressionCV (l1, 5 folds) tune
their penalty (fit only). CPU seconds are the measure: wall seconds on a shared machine are its neighbours' too.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from measure import measured

CAVITY = sys.argv[1]
HERE = pathlib.Path(__file__).parent
SIMULATED = {  # samples, features, density of the teacher
    "2000x2000": (2000, 2000, 0.1),
    "500x50000": (500, 50000, 0.0002),
    "5000x20000": (5000, 20000, 0.005),
}
NOISE, TEST = 0.05, 1000


def cavity_error(folder, model):
    output, _ = measured([CAVITY, "predict", model, f"{folder}/test.npy", "--labels", f"{folder}/test.lab", "--json"])
    return float(np.mean([row["label"] != row["truth"] for row in json.loads(output)["samples"]]))


def run_cavity(folder, solver, threads=1):
    command = [CAVITY, "fit", f"{folder}/train.npy", "--labels", f"{folder}/train.lab", "--grid", "paper", "--solver", solver,
               "--threads", str(threads), "--json", "-o", f"{folder}/m.cavity"]  # fmt: skip
    output, used = measured([*command, "-q"])
    cells = json.loads(output)["questions"][0]["grid"]
    used |= {"cells": len(cells), "converged": sum(c["converged"] for c in cells)}
    return used | {"test_error": cavity_error(folder, f"{folder}/m.cavity")}


def run_glmnet(folder, shape, test):
    files = [f"{folder}/{name}" for name in ("train.bin", "train.lab", "test.bin", "test.lab")]
    output, _ = measured(["Rscript", str(HERE / "peers.R"), *files, str(shape[0]), str(test), str(shape[1])])
    return json.loads(output)


def run_sklearn(folder):
    output, _ = measured([sys.executable, "-W", "ignore", __file__, "--sklearn", folder])
    return json.loads(output)


def sklearn_child(folder):
    from sklearn.linear_model import LogisticRegressionCV

    X, y = np.load(f"{folder}/train.npy"), np.loadtxt(f"{folder}/train.lab", dtype=str)
    start = [time.process_time(), time.perf_counter()]
    model = LogisticRegressionCV(penalty="l1", solver="liblinear", cv=5, random_state=1).fit(X, y)
    used = [time.process_time() - start[0], time.perf_counter() - start[1]]
    error = np.mean(model.predict(np.load(f"{folder}/test.npy")) != np.loadtxt(f"{folder}/test.lab", dtype=str))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": used[0], "wall_s": used[1], "peak_mb": peak, "test_error": float(error)}))


def write_case(folder, x, labels, x_test, labels_test):
    for name, values, truth in (("train", x, labels), ("test", x_test, labels_test)):
        np.save(f"{folder}/{name}.npy", values)
        values.tofile(f"{folder}/{name}.bin")
        pathlib.Path(f"{folder}/{name}.lab").write_text("".join(f"{y}\n" for y in truth))


def make_colon(folder, split):
    import pandas as pd

    data = pathlib.Path(os.environ.get("CAVITY_DATA", HERE / "../../shared/data")) / "colon.csv.gz"
    if not data.exists():
        return None
    table = pd.read_csv(data)
    order = np.random.default_rng(split).permutation(len(table))
    x, y = table.drop(columns="label").to_numpy(np.float32), table["label"].to_numpy()
    train, test = order[:42], order[42:]
    write_case(folder, x[train], y[train], x[test], y[test])
    return (42, x.shape[1]), 20


def make_simulated(folder, case):
    samples, features, teacher = SIMULATED[case]
    common = ["--features", str(features), "--teacher", str(teacher), "--noise", str(NOISE), "--seed", "1"]
    for name, count, skip in (("train", samples, 0), ("test", TEST, samples)):
        measured([CAVITY, "simulate", "--samples", str(count), "--skip", str(skip), *common,
                  "-o", f"{folder}/{name}.npy", "--labels", f"{folder}/{name}.lab"])  # fmt: skip
        np.load(f"{folder}/{name}.npy", mmap_mode="r").tofile(f"{folder}/{name}.bin")
    return (samples, features), TEST


def average(runs):
    return {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}


def run_case(case, peers):
    """Colon: ten splits averaged; simulated data: one."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        made = make_simulated(folder, case) if case in SIMULATED else None
        for split in range(1 if made else 10):
            shape = made or make_colon(folder, split)
            if shape is None:
                return None
            solvers = {"cavity (amp)": "amp"} if made else {"cavity (ep)": "ep", "cavity (amp)": "amp"}
            for name, solver in solvers.items():
                results.setdefault(name, []).append(run_cavity(folder, solver))
            if "glmnet" in peers:
                results.setdefault("cv.glmnet", []).append(run_glmnet(folder, *shape))
            if "sklearn" in peers and case != "5000x20000":  # hours
                results.setdefault("LogisticRegressionCV", []).append(run_sklearn(folder))
    return {name: average(runs) for name, runs in results.items()}


def show(case, results):
    reference = results.get("cv.glmnet", {}).get("cpu_s")
    for name, r in results.items():
        ratio = f"{r['cpu_s'] / reference:8.3f}" if reference else "       -"
        cells = f"{r['converged']:.0f}/{r['cells']:.0f}" if "cells" in r else ""
        print(f"{case:>11}  {name:<21} {r['cpu_s']:9.2f} {r['wall_s']:9.2f} {ratio} {r['peak_mb']:8.0f}"
              f" {r['test_error']:8.3f}  {cells}", flush=True)  # fmt: skip


def scaling():
    """CPU seconds of one AMP update against samples and features, over a decade each, from 240 MB on: the last-level
    cache keeps a part of much less. Sizes go in turns: the memory of a shared machine is not as fast
    from minute to minute."""
    out = {}
    for name, shapes in {
        "features": [(6000, 10000), (6000, 31623), (6000, 100000)],
        "samples": [(3000, 20000), (9487, 20000), (30000, 20000)],
    }.items():
        with tempfile.TemporaryDirectory() as folder:
            used = {}  # (size, updates): CPU seconds of every run; what is not an update is the same in both
            for i, (samples, features) in enumerate(shapes):
                measured([CAVITY, "simulate", "--samples", str(samples), "--features", str(features), "--teacher", "0.05",
                          "--noise", "0.05", "-o", f"{folder}/{i}.npy", "--labels", f"{folder}/{i}"])  # fmt: skip
            for _ in range(4):
                for i in range(len(shapes)):
                    fit = [CAVITY, "fit", f"{folder}/{i}.npy", "--labels", f"{folder}/{i}", "--solver", "amp", "--density", "0.1",
                           "--noise", "0.1", "--tolerance", "1e-300", "--threads", "1", "-q", "--max-iterations"]  # fmt: skip
                    for n in (13, 33):
                        used.setdefault((i, n), []).append(measured([*fit, str(n)], (0, 4))[1]["cpu_s"])
        updates = [(min(used[i, 33]) - min(used[i, 13])) / 20 for i in range(len(shapes))]
        exponent = np.polyfit(np.log([m * n for m, n in shapes]), np.log(updates), 1)[0]
        print(f"AMP's update grows with the number of {name} to the power {exponent:.2f}"
              f" ({', '.join(f'{1e3 * u:.2f} ms' for u in updates)})", flush=True)  # fmt: skip
        out[name] = {"exponent": float(exponent), "update_s": updates}
    return out


def threads():
    """Wall seconds of one and two threads: worth something on a quiet machine only."""
    with tempfile.TemporaryDirectory() as folder:
        make_simulated(folder, "500x50000")
        walls = [min(run_cavity(folder, "amp", n)["wall_s"] for _ in range(3)) for n in (1, 2)]
    print(f"two threads: {walls[0] / walls[1]:.2f} times as fast as one (500x50000, wall {walls[0]:.2f} and {walls[1]:.2f} s)")
    return {"one_s": walls[0], "two_s": walls[1]}


def main():
    print("\nCPU s, wall s, CPU against cv.glmnet's, peak MB, test error, converged cells")
    table = {}
    for case in sys.argv[3:] or ["colon", *SIMULATED]:
        results = run_case(case, ("glmnet", "sklearn"))
        if results is None:
            print(f"{case:>11}  skipped: no data (CAVITY_DATA)")
            continue
        table[case] = results
        show(case, results)
    if not sys.argv[3:]:
        table["scaling"] = scaling()
        table["threads"] = threads()
    pathlib.Path(sys.argv[2]).write_text(json.dumps(table, indent=1))


if sys.argv[1] == "--sklearn":
    sklearn_child(sys.argv[2])
else:
    main()
