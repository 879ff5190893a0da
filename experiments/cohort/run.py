"""A model at another site: is what has changed there named, and does `adapt` mend it?

    python experiments/cohort/run.py --binary build/release/cavity --out FILE [--tables 50] [--cores 1] [--labels 20] [--effect 0.55]

Needs numpy. Tables of 80 samples and 1000 genes (values 2^z, z of ten common causes and noise; 30 genes are raised by
--effect in the class that 35 % belong to) are fitted; then come 600 samples from
  same       the same population
  shift      another lab: every gene has another level (sd 0.5 in z), and z is 1.3 times as spread
  frequency  10 % instead of 35 % of the class
  platform   half of the genes, and every value x as 100 x^0.6, so that ranks within a sample stay
`validate` is asked of all 600 what differs (its findings features-moved, other-frequency, absent-features and too-sure). `adapt --slope` and `adapt` see --labels of them, the other samples judge: log
loss, and slope and intercept of a logistic regression of the truth on the stated log odds, before and after. Means over
tables with standard errors, and the table on which the adapted log loss is worst against before. A line of JSON a table goes to
`--out` as it is done; those that are there are not done again, and the summary is of all of them: `--tables 0` prints it alone.
"""
import argparse
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np

SAMPLES, NEW, GENES, CAUSES, RAISED = 80, 600, 1000, 10, 30
SITES = ("same", "shift", "frequency", "platform")


def cohorts(number, effect):
    """label and values of the training table, then of every site with its columns."""
    random = np.random.default_rng([7, number])
    loadings = random.normal(size=(CAUSES, GENES)) * 0.25
    level = random.normal(size=GENES) * 1.5 + 6

    def draw(n, share):
        ill = random.uniform(size=n) < share
        z = level + random.normal(size=(n, CAUSES)) @ loadings + 0.8 * random.normal(size=(n, GENES))
        z[:, :RAISED] += effect * ill[:, None]
        return ill, z

    yield "known", *draw(SAMPLES, 0.35), np.arange(GENES)
    for site in SITES:
        ill, z = draw(NEW, 0.1 if site == "frequency" else 0.35)
        genes = np.arange(GENES)
        if site == "shift":
            z = level + 1.3 * (z - level) + 0.5 * random.normal(size=GENES)
        if site == "platform":
            z = np.log2(100) + 0.6 * z
            genes = np.sort(random.choice(GENES, GENES // 2, replace=False))
        yield site, ill, z[:, genes], genes


def write(path, ill, z, genes):
    with open(path, "w") as file:
        print("label", *(f"g{l + 1}" for l in genes), sep=",", file=file)
        for label, row in zip(ill, np.exp2(z)):
            print("ill" if label else "well", *(f"{x:.6g}" for x in row), sep=",", file=file)


def calibration(p, truth):
    """Slope and intercept by Newton's method, a weak prior so that separable samples have some."""
    x = np.stack([np.log(np.clip(p, 1e-12, 1) / np.clip(1 - p, 1e-12, 1)), np.ones(len(p))])
    at = np.array([1.0, 0.0])
    for _ in range(60):
        q = 1 / (1 + np.exp(-np.clip(at @ x, -500, 500)))
        gradient = x @ (truth - q) - 1e-3 * (at - [1, 0])
        step = np.linalg.solve((x * (q * (1 - q))) @ x.T + 1e-3 * np.eye(2), gradient)
        at = at + step / max(1, np.abs(step).max())
    return at


def log_loss(p, truth):
    return float(-np.log(np.clip(np.where(truth, p, 1 - p), 1e-300, 1)).mean())


def study(binary, labels, effect, number):
    out = {}

    def run(*command, json_too=True):
        told = subprocess.run([binary, *map(str, command), "--threads", "1"] + ["--json"] * json_too, capture_output=True, text=True)
        if told.returncode not in (0, 4):
            raise SystemExit(told.stderr)
        return json.loads(told.stdout) if json_too else None

    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for site, ill, z, genes in cohorts(number, effect):
            if site == "known":
                write(at / "known.csv", ill, z, genes)
                run("fit", at / "known.csv", "-q", "-o", at / "model", json_too=False)
                continue
            write(at / "all.csv", ill, z, genes)
            write(at / "few.csv", ill[:labels], z[:labels], genes)
            write(at / "rest.csv", ill[labels:], z[labels:], genes)
            said = run("validate", at / "model", at / "all.csv", "-q")
            found = {finding["name"] for finding in said["findings"]}
            named = [name in found for name in ("features-moved", "other-frequency", "absent-features", "too-sure")]
            figures = []
            for way in ((), ("--slope",), None):
                if way is not None:
                    run("adapt", at / "model", at / "few.csv", *way, "-q", "-o", at / "adapted")
                rows = run("predict", at / ("model" if way is None else "adapted"), at / "rest.csv", "-q")["samples"]
                p = np.array([row["probabilities"][0] for row in rows])  # ill comes before well
                figures += [log_loss(p, ill[labels:]), *calibration(p, ill[labels:])]
            out[site] = [*map(float, named), *figures]
    return {"table": number, "labels": labels, "effect": effect, "sites": out}


def summarise(results):
    for site in SITES:
        rows = np.array([one["sites"][site] for one in results])
        mean, se = rows.mean(0), rows.std(0) / np.sqrt(len(rows))
        print(f"{site}: named in {len(rows)} tables: moved {mean[0]:.2f}, frequency {mean[1]:.2f}, absent {mean[2]:.2f}, too sure {mean[3]:.2f}")
        for name, first in (("as it is", 10), ("adapt", 4), ("adapt --slope", 7)):
            more = rows[:, first] - rows[:, 10]
            print(f"  {name:14} log loss {mean[first]:.3f} ({more.mean():+.3f}, worst {more.max():+.3f}, above +.02 in {(more > 0.02).sum()}), "
                  f"slope {mean[first + 1]:.2f} +- {se[first + 1]:.2f} (median {np.median(rows[:, first + 1]):.2f}), intercept {mean[first + 2]:+.2f} +- {se[first + 2]:.2f} "
                  f"(median {np.median(rows[:, first + 2]):+.2f})", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="build/release/cavity")
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--first", type=int, default=0, help="number of the first table")
    arguments.add_argument("--labels", type=int, default=20)
    arguments.add_argument("--effect", type=float, default=0.55, help="of ill on 30 genes, whose own deviation is about 1.1")
    arguments.add_argument("--cores", type=int, default=1)
    arguments.add_argument("--out", type=Path, required=True)
    a = arguments.parse_args()
    results = [json.loads(line) for line in a.out.read_text().splitlines()] if a.out.exists() else []
    if any((one["labels"], one["effect"]) != (a.labels, a.effect) for one in results):
        raise SystemExit(f"{a.out} has other labels or another effect: name another file")
    done = {one["table"] for one in results}
    asked = [number for number in range(a.first, a.first + a.tables) if number not in done]
    with ThreadPoolExecutor(a.cores) as pool, a.out.open("a") as out:
        for finished in as_completed([pool.submit(study, a.binary, a.labels, a.effect, number) for number in asked]):
            results.append(finished.result())
            print(json.dumps(results[-1]), file=out, flush=True)
    if results:
        summarise(results)


if __name__ == "__main__":
    main()
