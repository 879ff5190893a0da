"""Does the bound on false selections hold, and what do halves cost?

    python experiments/stability/run.py --binary build/release/cavity --data ../shared/data [--sets colon] [--repeats 100]

Labels are planted in real tables: one, two, three genes in turn decide (their ranks, added up with random signs), one
label in ten is flipped, all samples train. For every repeat: the stable features, how many of them were planted, and how
many are false: neither planted nor correlated with a planted gene (|rank correlation| >= 0.3), which a half rightly
selects more often than one drawn at random. `--selected 50` makes the bound larger and its test harder. The CPU time of
`cavity stability` against `cavity fit` on the real labels comes first (`--timed`). Needs numpy, pandas.
"""
import argparse
import json
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

FLIPS, CORRELATED = 0.1, 0.3


def plant(ranks, genes, random):
    which = random.choice(np.flatnonzero(ranks.std(0) > 0), genes, replace=False)
    field = ranks[:, which] @ random.choice([-1, 1], genes)
    return which, (field >= np.median(field)) ^ (random.random(len(ranks)) < FLIPS)


def run(binary, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([binary, *map(str, words), "--json", "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def repeats(a, name, folder):
    x = pd.read_csv(a.data / f"{name}.csv.gz").drop(columns="label").to_numpy(np.float32)
    ranks = pd.DataFrame(x).rank().to_numpy()
    ranks = (ranks - ranks.mean(0)) / np.maximum(ranks.std(0), 1e-9)
    np.save(folder / "x.npy", x)
    stable, planted, false, bound = [], [], [], []
    for seed in range(a.first, a.first + a.repeats):
        which, labels = plant(ranks, 1 + seed % 3, np.random.default_rng(seed))
        np.savetxt(folder / "labels", labels.astype(int), fmt="%d")
        answer, _ = run(a.binary, "stability", folder / "x.npy", "--labels", folder / "labels", "--pairs", a.pairs,
                        "--selected", a.selected, "--threads", a.threads)
        found = [int(feature[1:]) - 1 for feature in answer["stable"]]
        related = np.abs(ranks[:, which].T @ ranks / len(ranks)).max(0) >= CORRELATED
        stable.append(len(found))
        planted.append(len(set(found) & set(which)))
        false.append(sum(not related[at] for at in found))
        bound.append(answer["most_expected_false"])
    within = np.mean(np.array(false) <= np.array(bound))
    print(f"{name:9} {a.repeats} repeats, {a.selected} selected a half: {sum(stable)} stable features, {sum(planted)} of them planted, "
          f"{sum(false)} false; bound {np.mean(bound):.3f} a repeat; no more false ones than the bound in {100 * within:.0f} % of the "
          f"repeats", flush=True)


def cost(a, name):
    path = a.data / f"{name}.csv.gz"
    _, whole = run(a.binary, "fit", path, "--threads", 1)
    _, halves = run(a.binary, "stability", path, "--threads", 1)
    print(f"{name:9} CPU of the fit {whole:.2f} s, of it with 50 pairs of halves {halves:.2f} s: {halves / whole:.1f} times", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", default="colon")
    parser.add_argument("--timed", default="colon,prostate")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--selected", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    for name in filter(None, a.timed.split(",")):
        cost(a, name)
    with tempfile.TemporaryDirectory() as folder:
        for name in filter(None, a.sets.split(",")):
            repeats(a, name, Path(folder))


if __name__ == "__main__":
    main()
