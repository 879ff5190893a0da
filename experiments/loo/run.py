"""Leave-one-out from the cavities against actual refits, for EP and for AMP.

    python experiments/loo/run.py --binary build/release/cavity --data ../shared/data [--refits 20]

Needs Python's standard library only. A row a data set, cell and solver: mean and largest difference of the left-out
sample's probability, labels that change, refits that converged.
"""
import argparse
import json
import subprocess
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--binary", default="build/release/cavity")
parser.add_argument("--data", default="../shared/data")
parser.add_argument("--refits", type=int, default=20)
parser.add_argument("--sets", default="colon:2000,leukemia:7128,prostate:12600,breast:2905")
arguments = parser.parse_args()

print(f"{'set':<10} {'kept':>5} {'solver':<7} {'status':<10} {'loo':>6} {'mean diff':>9} {'largest':>8} {'labels':>6} {'refits':>6}")
for entry in arguments.sets.split(","):
    name, features = entry.split(":")
    for kept in (12, 50, 200):
        for solver in ("ep", "amp"):
            run = subprocess.run(
                [arguments.binary, "fit", Path(arguments.data) / f"{name}.csv.gz", "--density", str(kept / int(features)),
                 "--noise", "0.1", "--solver", solver, "--check-loo", str(arguments.refits), "--json"],
                capture_output=True, text=True)
            if run.returncode not in (0, 4):
                raise SystemExit(run.stderr)
            asked = json.loads(run.stdout)["questions"][0]
            chosen = asked["grid"][asked["chosen"]]
            check = asked["loo_check"] or {"mean_difference": float("nan"), "largest_difference": float("nan"),
                                           "changed_labels": 0, "refits": 0}
            print(f"{name:<10} {kept:>5} {solver:<7} {chosen['status']:<10} {chosen['loo_error']:>6.3f} "
                  f"{check['mean_difference']:>9.4f} {check['largest_difference']:>8.4f} {check['changed_labels']:>6} "
                  f"{check['refits']:>6}", flush=True)
