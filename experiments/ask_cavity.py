"""One fit on some rows of a table, asked for the others, by the command line: what the experiments share."""
import csv
import json
import subprocess
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, TimeoutError, as_completed
from pathlib import Path

import numpy as np


def write_rows(folder, name, x, labels):
    """The table's file and the arguments that name it: NumPy with a file of labels, svmlight where it is sparse."""
    if hasattr(x, "tocsr"):
        from sklearn.datasets import dump_svmlight_file

        dump_svmlight_file(x, labels.astype(int), str(folder / name), zero_based=False)
        return [folder / name]
    np.save(folder / f"{name}.npy", np.ascontiguousarray(x, dtype=np.float32))
    (folder / f"{name}.labels").write_text("\n".join(map(str, labels)) + "\n")
    return [folder / f"{name}.npy", "--labels", folder / f"{name}.labels"]


def ask(binary, x, labels, train, test, *options):
    """Probabilities of the test rows (a column a class), the classes in that order, the fit's JSON, its seconds."""
    labels = np.asarray(labels).astype(str)

    def run(*command):
        done = subprocess.run([str(binary), *map(str, command), "--threads", "1", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.monotonic()
        fit = run("fit", *write_rows(folder, "train", x[train], labels[train]), "-o", folder / "model", "--json", *options)
        seconds = time.monotonic() - start
        table = write_rows(folder, "test", x[test], labels[test])[:1]
        said = run("predict", folder / "model", *table, "--json")
    return np.array([s["probabilities"] for s in said["samples"]]), said["classes"], fit, seconds


def scores(probability, classes, truth, least=1e-4):
    """Error (half where the likeliest tie), mean log loss of the true class, clipped at `least`."""
    truth = np.array([classes.index(t) for t in np.asarray(truth).astype(str)])
    own = probability[np.arange(len(truth)), truth]
    best = probability.max(axis=1)
    wrong = np.where(own < best, 1.0, 1 - 1 / (probability == best[:, None]).sum(axis=1))
    return wrong.mean(), -np.log(np.clip(own, least, 1 - least)).mean()


def in_parallel(work, arguments, jobs, path, fields, minutes=None):
    """The rows that `work` returns, each written as it comes; after so many minutes, those that have come."""
    rows = []
    with ProcessPoolExecutor(jobs) as pool, open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(fields)
        running = [pool.submit(work, *a) for a in arguments]
        try:
            for done in as_completed(running, minutes and 60 * minutes):
                rows.append(done.result())
                out.writerow(rows[-1])
                file.flush()
        except TimeoutError:
            print(f"after {minutes} minutes {len(rows)} of {len(running)} have come")
            pool.shutdown(wait=False, cancel_futures=True)
    return rows
