"""Three planted features: in how many tables the panel of three holds two of them.

    python experiments/panel/planted.py --binary build/release/cavity [--tables 50] [--flips 0.1,0.0] [--features 1000] [--cores 16]

Tables of 100 samples whose label is the sign of the sum of three features, with a share of labels flipped. A feature of the
panel counts that is planted, or stands in one credible set with a planted one. A line a table, then the shares. Needs numpy.
"""
import argparse
import json
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np


def table(seed, flips, features):
    random = np.random.default_rng([seed, 3])
    x = random.normal(size=(100, features)).astype(np.float32)
    which = random.choice(features, 3, replace=False)
    labels = (x[:, which] @ random.choice([-1, 1], 3) > 0) ^ (random.random(100) < flips)
    return x, labels, {f"x{l + 1}" for l in which}


def held(a, seed, flips, features):
    """How many of the three, by themselves and with credible sets."""
    x, labels, which = table(seed, flips, features)
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        np.save(at / "x.npy", x)
        np.savetxt(at / "labels", labels.astype(int), fmt="%d")
        done = subprocess.run([a.binary, "panel", at / "x.npy", "--labels", at / "labels", "--most", "3", "--size", "3", "--folds", "2",
                               "--json", "-q", "--threads", "1"], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise RuntimeError(done.stderr)
    said = json.loads(done.stdout)
    stands_for = set(said["path"])
    for member in said["members"]:
        stands_for |= set(member["credible_set"])
    return len(which & set(said["path"])), len(which & stands_for)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--flips", default="0.1,0.0")
    arguments.add_argument("--features", default="1000")
    arguments.add_argument("--cores", type=int, default=1)
    a = arguments.parse_args()
    with ProcessPoolExecutor(a.cores) as pool:
        for features in map(int, a.features.split(",")):
            for flips in map(float, a.flips.split(",")):
                count = range(a.tables)
                hits = np.array(list(pool.map(held, [a] * a.tables, count, [flips] * a.tables, [features] * a.tables)))
                shares = (hits >= 2).mean(0)
                error = np.sqrt(shares * (1 - shares) / a.tables)
                print(f"{features} features, flips {flips}: two of three in {shares[0]:.2f}+-{error[0]:.2f}, with credible sets "
                      f"{shares[1]:.2f}+-{error[1]:.2f} of {a.tables} tables; all three in {(hits[:, 0] == 3).mean():.2f}", flush=True)


if __name__ == "__main__":
    main()
