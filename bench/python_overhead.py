"""Cost of Python over the command line, in CPU time of the whole fit on one thread, and peak memory of a large fit.

    python bench/python_overhead.py overhead DATA.csv[.gz] BINARY [DENSITY NOISE SOLVER]  # best of three
    python bench/python_overhead.py memory GIGABYTES                # peak of this process over the array's size
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

from cavity import SparseBayesClassifier


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def overhead(path: str, binary: str, density: str = "", noise: str = "", solver: str = "auto") -> None:
    """The command line reads .npy, so that parsing text counts for neither side."""
    table = pd.read_csv(path)
    y = table["label"].to_numpy()
    X = table.drop(columns="label").to_numpy(np.float32)
    python, native = [], []
    cell = ["--density", density, "--noise", noise, "--solver", solver] if density else []
    parameters = {"density": float(density), "noise": float(noise), "solver": solver} if density else {}
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/X.npy", X)
        with open(f"{folder}/y.txt", "w") as file:
            file.writelines(f"{label}\n" for label in y)
        for _ in range(3):
            before = children_cpu()
            command = [binary, "fit", f"{folder}/X.npy", "--labels", f"{folder}/y.txt", "--threads", "1", "-q", *cell]
            subprocess.run(command, check=True)
            native.append(children_cpu() - before)
            before = time.process_time()
            SparseBayesClassifier(**parameters).fit(X, y)
            python.append(time.process_time() - before)
    print(json.dumps({"samples": X.shape[0], "features": X.shape[1], "command_line_s": min(native),
                      "python_s": min(python), "ratio": min(python) / min(native)}))  # fmt: skip


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def memory(gigabytes: float) -> None:
    rows = 4000
    cols = int(gigabytes * 2**30 / 4 / rows)
    random = np.random.default_rng(1)
    X = np.empty((rows, cols), dtype=np.float32)
    for i in range(rows):
        random.standard_normal(out=X[i], dtype=np.float32)
    y = np.where(X[:, :20].sum(axis=1) > 0, "b", "a")
    before = peak_bytes()
    clf = SparseBayesClassifier(density=0.001, noise=0.05, max_iter=15, n_jobs=os.cpu_count()).fit(X, y)
    clf.predict_proba(X[:200])
    print(json.dumps({"array_gb": X.nbytes / 1e9, "peak_before_fit_gb": before / 1e9, "peak_gb": peak_bytes() / 1e9,
                      "solver": clf.solver_, "transform": clf.value_transform_}))  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1] == "overhead":
        overhead(*sys.argv[2:])
    else:
        memory(float(sys.argv[2]))
