"""Is what a list by a false rate holds as often false as it may be, and an inclusion as often right as it says?

    python experiments/planted/lists.py --binary build/release/cavity --data ../shared/data [--tables 30] [--first 0]
        [--sets colon,breast,prostate]

Needs numpy, pandas and scikit-learn. Labels planted as run.py does, 60 samples train. Prints by table and over all: how many
features `--fdr 0.2` lists and how many of these are not planted; and for each tenth of inclusion the number of features,
their mean inclusion and the share that are planted.
"""
import argparse
import csv
import io
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from run import plant

TRAINING, RATE = 60, "0.2"


def listed(binary, model, *options):
    out = subprocess.run([binary, "features", model, *options], capture_output=True, text=True, check=True).stdout
    return {int(row["feature"][1:]) - 1: float(row["inclusion"]) for row in csv.DictReader(io.StringIO(out))}


def show(name, found, stated, truth):
    stated, truth = np.concatenate(stated), np.concatenate(truth)
    bins = np.minimum((10 * stated).astype(int), 9)
    parts = [f"{k / 10:.1f}: {(bins == k).sum()} {stated[bins == k].mean():.3f} {truth[bins == k].mean():.3f}"
             for k in range(10) if (bins == k).any()]
    print(f"{name}: lists {sum(n > 0 for n, _ in found)} of {len(found)}, features {sum(n for n, _ in found)}, "
          f"false {sum(f for _, f in found)}; {'; '.join(parts)}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--tables", type=int, default=30, help="of each set and number of genes")
    arguments.add_argument("--first", type=int, default=0, help="number of the first table")
    arguments.add_argument("--sets", default="colon,breast,prostate")
    a = arguments.parse_args()
    everything = ([], [], [])
    for name in a.sets.split(","):
        table = pd.read_csv(a.data / f"{name}.csv.gz").drop(columns="label").select_dtypes("number")
        x = table.fillna(table.mean()).to_numpy(np.float32)
        own = ([], [], [])
        for genes in (1, 2, 3):
            for number in range(a.first, a.first + a.tables):
                which, labels, order = plant(x, genes, np.random.default_rng([number, genes]))
                train = order[:TRAINING]
                with tempfile.TemporaryDirectory() as folder:
                    at = Path(folder)
                    np.save(at / "x.npy", x[train])
                    np.savetxt(at / "labels", labels[train].astype(int), fmt="%d")
                    fitted = subprocess.run([a.binary, "fit", at / "x.npy", "--labels", at / "labels", "-o", at / "model", "-q"],
                                            capture_output=True, text=True)
                    if fitted.returncode not in (0, 4):
                        raise SystemExit(fitted.stderr)
                    names = listed(a.binary, at / "model", "--fdr", RATE)
                    inclusion = listed(a.binary, at / "model")
                truth = np.isin(list(inclusion), which)
                row = ((len(names), sum(l not in which for l in names)), np.array(list(inclusion.values())), truth)
                for part in (own, everything):
                    for kept, one in zip(part, row):
                        kept.append(one)
        show(name, *own)
    show("all", *everything)


if __name__ == "__main__":
    main()
