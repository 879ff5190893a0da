"""What the experiments of this folder share: fits of arrays by the program, and many of them at the same time."""
import concurrent.futures
import functools
import gzip
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np


def run(*command):
    """Standard output; a fit may end without a cell that converged."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise RuntimeError(f"{' '.join(str(part) for part in command)}: {done.stderr}")
    return done.stdout


class Fitted:
    """A fit of rows and labels: what it says, its lists and its probabilities of new rows."""

    def __init__(self, binary, rows, labels, *options):
        self.binary, self.folder = binary, tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)
        np.save(self.at / "x.npy", np.asarray(rows, dtype=np.float32))
        np.savetxt(self.at / "labels", labels, fmt="%s")
        self.says = json.loads(run(binary, "fit", self.at / "x.npy", "--labels", self.at / "labels", "-o", self.at / "model",
                                   "--json", "-q", "--threads", "1", *options))

    def features(self, *options):
        """Position in the table: inclusion."""
        lines = run(self.binary, "features", self.at / "model", *options).splitlines()
        names = lines[0].split(",")
        feature, inclusion = names.index("feature"), names.index("inclusion")
        cells = [line.split(",") for line in lines[1:]]
        return {int(row[feature][1:]) - 1: float(row[inclusion]) for row in cells}

    def probability(self, fresh):
        """Of the second of two classes."""
        np.save(self.at / "new.npy", np.asarray(fresh, dtype=np.float32))
        lines = run(self.binary, "predict", self.at / "model", self.at / "new.npy").splitlines()
        return np.array([float(line.split(",")[1]) for line in lines[1:]])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


@functools.lru_cache(maxsize=4)
def read_table(path):
    """Values with the features' means where there are none, and labels, of a CSV with a column `label`, which is the first."""
    with gzip.open(path, "rt") as file:
        names = file.readline().rstrip("\n").split(",")
        cells = [line.rstrip("\n").split(",") for line in file]
    if names[0] != "label":
        raise RuntimeError(f"{path}: the first column is {names[0]}, not label")
    x = np.array([[float(cell) if cell not in ("", "NA", "NaN") else np.nan for cell in row[1:]] for row in cells])
    missing = np.isnan(x)
    x[missing] = np.broadcast_to(np.nanmean(x, 0), x.shape)[missing]
    return x.astype(np.float32), np.array([row[0] for row in cells])


def each(work, tasks, processes, seconds, log=None):
    """Yields task and what `work` says of it, as they end; what has not begun after so many seconds is left out."""
    end = time.monotonic() + seconds
    with concurrent.futures.ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        waiting = {pool.submit(work, task): task for task in tasks}
        try:
            for done in concurrent.futures.as_completed(waiting, timeout=seconds):
                if done.exception():
                    raise done.exception()
                if log:
                    print(json.dumps([waiting[done], done.result()]), file=log, flush=True)
                yield waiting[done], done.result()
                if time.monotonic() > end:
                    break
        except TimeoutError:
            print("time is up", flush=True)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def by(task_rows, key):
    """Rows of equal key together, in the order of the keys."""
    out = {}
    for task, row in task_rows:
        out.setdefault(key(task), []).append(row)
    return dict(sorted(out.items(), key=lambda entry: str(entry[0])))


def mean_words(values):
    """Mean and its standard error."""
    values = np.array(values, dtype=float)
    return f"{values.mean():.3f}+-{values.std() / np.sqrt(len(values)):.3f}"


def add_arguments(parser, tables):
    parser.add_argument("--binary", required=True)
    parser.add_argument("--tables", type=int, default=tables, help=f"of each kind (default: {tables})")
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--processes", type=int, default=0, help="fits at the same time (default: one a core)")
    parser.add_argument("--seconds", type=float, default=1e6, help="stop after so many")
    parser.add_argument("--log", type=Path, help="a line a table goes to this file")


def judged(work, tasks, a):
    """What `work` says of all tasks, by the arguments above."""
    if not a.log:
        return list(each(work, tasks, a.processes, a.seconds))
    with open(a.log, "w") as log:
        return list(each(work, tasks, a.processes, a.seconds, log))
