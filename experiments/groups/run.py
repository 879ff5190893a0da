"""Groups left out together against real refits without them, where every sample has a noisy twin (a made-up patient).

    python experiments/groups/run.py --binary build/release/cavity --data ../shared/data [--sets colon,...] [--noise 0.5] [--whole]

The twin is the sample plus normal noise of `--noise` standard deviations of each feature. Two lines a set: the cell that
the fit itself prefers, and one that keeps 50 features. For each: the error and log loss of ordinary leave-one-out, those of
the group cavities, and by `--check-loo` how far these are from refits without each patient (mean |difference| of a
probability, labels that change, refits that did not converge). `--whole` has a third line, of the mixture that users read:
its error and log loss against those of fits without each patient in which preparation, cells and weights are chosen anew.
Needs numpy and pandas.
"""
import argparse
import io
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


def predict(binary, folder, table, left_out):
    """The probabilities of the samples that are left out, by a fit of the others."""
    table[~left_out].to_csv(f"{folder}/known.csv", index=False)
    table[left_out].to_csv(f"{folder}/new.csv", index=False)
    subprocess.run([binary, "fit", f"{folder}/known.csv", "--group", "patient", "-q", "-o", f"{folder}/model"], check=True)
    predicted = subprocess.run([binary, "predict", f"{folder}/model", f"{folder}/new.csv"], check=True, capture_output=True, text=True)
    return pd.read_csv(io.StringIO(predicted.stdout))["probability"].to_numpy()


def whole_refits(binary, folder, path, table):
    fit(binary, path, "--group", "patient", "--loo", f"{folder}/loo.csv")
    mixture, patients = pd.read_csv(f"{folder}/loo.csv")["probability"].to_numpy(), table["patient"].to_numpy()
    refits = np.empty(len(table))
    for patient in dict.fromkeys(patients):
        refits[patients == patient] = predict(binary, folder, table, patients == patient)
    labels = table["label"].to_numpy() == sorted(set(table["label"]))[1]
    scores = [(np.mean((p >= 0.5) != labels), -np.mean(np.log(np.where(labels, p, 1 - p)))) for p in (mixture, refits)]
    return "mixture: error {:.3f}, log loss {:.3f}; whole refits: {:.3f}, {:.3f}".format(*scores[0], *scores[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", default="colon,leukemia,prostate,breast")
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true")
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
                check = group["questions"][0]["loo_check"]
                print(f"{name:9} {cell:12} {alone['loo_error']:17.3f} {alone['loo_log_loss']:5.3f} {group['loo_error']:17.3f} "
                      f"{group['loo_log_loss']:5.3f} {check['mean_difference']:17.4f} {check['changed_labels']:7d} "
                      f"{check['refits']:7d} {check['failed']:7d}", flush=True)
            if a.whole:
                print(f"{name:9} {whole_refits(a.binary, folder, path, table)}", flush=True)


if __name__ == "__main__":
    main()
