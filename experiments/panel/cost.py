"""What a panel costs beside one fit: CPU seconds of one thread, all sizes to 20 with their folds.

    python experiments/panel/cost.py --binary build/release/cavity --data ../shared/data [--sets colon,prostate,200x20000]

Fit and panel take turns in one run, `--times` each, and the least of each counts: a machine that does other work beside it
adds to CPU time, too. A name like 200x20000 is a table of independent features, of which 20 matter. Needs nothing but Python.
"""
import argparse
import resource
import subprocess
import tempfile
from pathlib import Path


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table_of(a, name, folder):
    if (file := a.data / f"{name}.csv.gz").exists():
        return file
    samples, features = map(int, name.split("x"))
    file = Path(folder) / f"{name}.csv"
    seconds(a.binary, "simulate", "--samples", samples, "--features", features, "--teacher", 20 / features, "--noise", 0.05, "--seed", 1, "-o", file)
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("build/release/cavity"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", default="colon,prostate,200x20000")
    parser.add_argument("--times", type=int, default=2)
    a = parser.parse_args()
    for name in a.sets.split(","):
        with tempfile.TemporaryDirectory() as folder:
            table = table_of(a, name, folder)
            times = [[seconds(a.binary, what, table, "-q", "--threads", 1) for what in ("fit", "panel")] for _ in range(a.times)]
        fit, panel = (min(column) for column in zip(*times))
        print(f"{name}: fit {fit:.2f} s, panel {panel:.2f} s of CPU: {panel / fit:.1f} fits", flush=True)


if __name__ == "__main__":
    main()
