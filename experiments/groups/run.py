"""Groups left out together against real refits without them, where every sample has a noisy twin (a made-up patient).

    python experiments/groups/run.py --binary build/release/cavity --data ../shared/data [--sets colon,...] [--noise 0.5]

The twin is the sample plus normal noise of `--noise` standard deviations of each feature. Two lines a set: the cell that
the fit itself prefers, and one that keeps 50 features. For each: the error and log loss of ordinary leave-one-out, those of
the group cavities, and by `--check-loo` how far these are from refits without each patient (mean |difference| of a
probability, labels that change, refits that did not converge). Needs numpy and pandas.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd


def with_twins(table, noise, seed):
    values = table.drop(columns="label")
    twin = values + noise * values.std(axis=0, ddof=0).to_numpy() * np.random.default_rng(seed).standard_normal(values.shape)
    known = pd.DataFrame({"label": list(table["label"]) * 2, "patient": [f"p{i}" for i in range(len(table))] * 2})
    both = pd.concat([known, pd.concat([values, twin], ignore_index=True)], axis=1)
    return both.sort_values("patient", kind="stable", ignore_index=True)


def fit(binary, path, *options):
    run = subprocess.run([binary, "fit", path, "--json", *options], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", default="colon,leukemia,prostate,breast")
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    print("set       cell         one by one: error  loss   by group: error  loss   |group - refit|  labels  refits  failed")
    for name in a.sets.split(","):
        table = with_twins(pd.read_csv(a.data / f"{name}.csv.gz"), a.noise, a.seed)
        features = table.shape[1] - 2
        fixed = ["--density", str(50 / features), "--noise", "0.02", "--width", "0.2"]
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/{name}.csv"
            table.to_csv(path, index=False)
            for cell, options in (("preferred", []), ("50 kept", fixed)):
                alone = fit(a.binary, path, "--id", "patient", *options)
                group = fit(a.binary, path, "--group", "patient", "--check-loo", "100000", *options)
                check = group["loo_check"]
                print(f"{name:9} {cell:12} {alone['loo_error']:17.3f} {alone['loo_log_loss']:5.3f} {group['group_loo_error']:17.3f} "
                      f"{group['group_loo_log_loss']:5.3f} {check['mean_difference']:17.4f} {check['changed_labels']:7d} "
                      f"{check['refits']:7d} {check['failed']:7d}", flush=True)


if __name__ == "__main__":
    main()
