"""How many cells of the default grid converge, and in how many updates.

    python experiments/convergence/run.py --binary build/release/cavity --data ../shared/data

Needs Python's standard library only. Prints a line a data set, for cells that keep 12 features or more and for the
sparser ones, and a line for every cell that did not converge.
"""
import argparse
import json
import subprocess
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--binary", default="build/release/cavity")
parser.add_argument("--data", default="../shared/data")
parser.add_argument("--sets", default="colon,leukemia,prostate,breast")
arguments = parser.parse_args()

print(f"{'set':<10} {'cells >= 12 kept':>17} {'converged':>9} {'sparser':>8} {'converged':>9} {'most updates':>12}")
for name in arguments.sets.split(","):
    run = subprocess.run([arguments.binary, "fit", Path(arguments.data) / f"{name}.csv.gz", "--json"], check=True,
                         capture_output=True, text=True)
    fit = json.loads(run.stdout)
    grid = fit["questions"][0]["grid"]
    kept = [cell["density"] * fit["kept_features"] for cell in grid]
    dense = [cell for cell, k in zip(grid, kept) if k > 11.5]
    sparse = [cell for cell, k in zip(grid, kept) if k <= 11.5]
    count = lambda cells: sum(cell["converged"] for cell in cells)
    most = max(cell["iterations"] for cell in grid if cell["converged"])
    print(f"{name:<10} {len(dense):>17} {count(dense):>9} {len(sparse):>8} {count(sparse):>9} {most:>12}")
    for cell, k in zip(grid, kept):
        if not cell["converged"]:
            print(f"  {cell['status']}: {k:.0f} kept, noise {cell['noise']}, residual {cell['residual']:.1e}")
