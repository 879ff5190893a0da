"""What each rule of a default fit pays: it is turned off, everything else is as it is, on the same splits.

    cmake --build build/release --target ablation
    python experiments/ablation/run.py [--binary build/release/experiments/ablation/ablation] [--splits 5] [--first 0]
        [--rules a,b+c,...] [--families accuracy,classes,planted] [--tables ...] [--cores N] [--minutes 60] [--csv FILE]
        [--known FILE ...] [--against BINARY]

Prints for every rule, over tables, the mean of what its absence costs: error, log loss, leave-one-out error and log loss less
those of the test, each with its standard error over splits, the ratio of CPU, and the table that loses most. `b+c` turns both
off. The markdown table of docs/trust.md is `--markdown FILE`. Splits come one after the other, each with all rules, until
--minutes are over. --known: results of former runs, for a table of all of them. --against: the same program of another commit,
which then is the rule `another`. Needs numpy, and scikit-learn for its tables.
"""

import argparse
import csv
import json
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
from splits import FAMILIES, TEXT, write

# Of what family of tables a rule can say something.
TWO, MANY, ALL = ("accuracy", "planted"), ("classes",), ("accuracy", "planted", "classes")
RULES = {
    "pilot": ALL, "both_forms": TWO, "sampled_cells": TWO, "more_draws": TWO,
    "scouting": ALL, "few_by_folds": ALL,
    "gamp_by_folds": ("accuracy",), "stacking": TWO, "smallest_weight": ALL, "cross_fitting": TWO, "recalibrate": TWO,
    "others_recalibrated": TWO, "nothing": TWO, "bent": ALL, "loose": ALL, "served_columns": MANY, "together": MANY,
    "coupled_joining": MANY,
}  # fmt: skip
OF_GAMP = {"gamp_by_folds", "stacking", "smallest_weight", "cross_fitting", "recalibrate", "nothing"}  # of text
SLOW = {"madelon": 3, "500x5000": 2, "pcmac": 2}  # of the splits one in so many
OTHER = "another"
FIGURES = ("error", "log_loss", "loo_error", "loo_log_loss", "cpu_s")
COLUMNS = ("family", "table", "split", "rule", *FIGURES)


def one(binary, arguments, rule):
    names = rule.split("+") if rule else []
    done = subprocess.run([binary, *map(str, arguments), *names], capture_output=True, text=True)
    if done.returncode != 0:
        return {figure: float("nan") for figure in FIGURES} | {"failed": done.stderr.strip()}
    return json.loads(done.stdout)


def plan(asked):
    rules = {rule: RULES.get(rule, ALL) for rule in (asked.rules.split(",") if asked.rules else RULES)}
    for split in range(asked.first, asked.first + asked.splits):
        for family in asked.families.split(","):
            for name in FAMILIES[family]:
                if (asked.tables and name not in asked.tables.split(",")) or (split - asked.first) % SLOW.get(name, 1) >= 1:
                    continue
                if asked.against:
                    yield family, name, split, ["", OTHER]
                    continue
                speaks = (rule for rule, where in rules.items() if family in where and (name not in TEXT or rule in OF_GAMP))
                yield family, name, split, ["", *speaks]


def measure(asked, out):
    until = time.time() + 60 * asked.minutes
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.cores) as pool:
        writer = csv.writer(out)

        def task(family, name, split, rule, arguments):
            if time.time() > until:
                return None
            found = one(asked.against, arguments, "") if rule == OTHER else one(asked.binary, arguments, rule)
            if "failed" in found:
                print(f"{name} {split} without {rule or 'nothing'}: {found['failed']}", flush=True)
            writer.writerow([family, name, split, rule, *(found[figure] for figure in FIGURES)])
            out.flush()
            return found

        pending = []
        for family, name, split, rules in plan(asked):
            if time.time() > until:
                break
            try:
                arguments = write(family, name, split, Path(folder) / family / name / str(split))
            except (FileNotFoundError, ImportError) as missing:
                if split == asked.first:
                    print(f"{name}: skipped, {missing}")
                continue
            pending += [pool.submit(task, family, name, split, rule, arguments) for rule in rules]
        for result in pending:
            result.result()


def read(files):
    found = {}
    for file in files:
        for row in csv.DictReader(open(file)):
            key = row["family"], row["table"], int(row["split"])
            found.setdefault(key, {})[row["rule"]] = np.array([float(row[figure]) for figure in FIGURES])
    return found


def figures(row):
    error, log_loss, loo_error, loo_log_loss, _ = row
    return np.array([error, log_loss, loo_error - error, loo_log_loss - log_loss])


def paired(found, rule):
    """A table: mean and standard error of what the rule's absence changes, and the ratio of CPU."""
    by_table = {}
    for (family, name, _), rows in found.items():
        if "" in rows and rule in rows and np.isfinite(rows[rule]).all() and np.isfinite(rows[""]).all():
            by_table.setdefault((family, name), []).append((figures(rows[rule]) - figures(rows[""]), rows[rule][4], rows[""][4]))
    out = {}
    for table, entries in by_table.items():
        change = np.array([entry[0] for entry in entries])
        se = change.std(axis=0, ddof=1) / np.sqrt(len(change)) if len(change) > 1 else np.full(4, np.nan)
        out[table] = change.mean(axis=0), se, sum(e[1] for e in entries) / sum(e[2] for e in entries), len(entries)
    return out


def verdict(mean, se, tables):
    """What a rule must gain: 0.002 nats on average or 0.01 on a table, and more than its standard error."""
    large = [name for (_, name), (change, own, *_) in tables.items() if change[1] >= 0.01 and change[1] > own[1]]
    return "pays" if (mean[1] >= 0.002 and not mean[1] <= se[1]) or large else "goes"


def summary(found, rules):
    for rule in rules:
        tables = paired(found, rule)
        if not tables:
            continue
        means, ses = (np.array([entry[i] for entry in tables.values()]) for i in (0, 1))
        known = ses[np.isfinite(ses).all(axis=1)]  # a table of one split varies as the others do
        mean, se = means.mean(axis=0), np.sqrt((known**2).mean(axis=0) / len(tables)) if len(known) else np.full(4, np.nan)
        cpu = np.exp(np.mean([np.log(entry[2]) for entry in tables.values()]))
        worst = max(tables, key=lambda table: tables[table][0][1])
        yield {"rule": rule, "tables": len(tables), "splits": sum(entry[3] for entry in tables.values()), "mean": mean, "se": se,
               "cpu": cpu, "worst": worst[1], "by": tables[worst][0][1], "by_se": tables[worst][1][1],
               "verdict": verdict(mean, se, tables)}  # fmt: skip


def commit():
    done = subprocess.run(["git", "-C", Path(__file__).parent, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or "an unknown commit"


def tell(rows, title):
    print(f"\n{title}: without the rule, less with it; in thousandths, +- one standard error")
    print(f"{'rule':<32} {'error':>12} {'log loss':>12} {'loo-test err':>12} {'loo-test log':>12}  {'cpu':>5}  loses most")
    for r in rows:
        cells = " ".join(f"{1000 * m:+6.1f} {1000 * s:5.1f}" for m, s in zip(r["mean"], r["se"]))
        print(f"{r['rule']:<32} {cells}  {r['cpu']:5.2f}  {r['worst']} {1000 * r['by']:+.1f} {1000 * r['by_se']:.1f}: {r['verdict']}")


def markdown(rows, title):
    yield f"{title}.\n"
    yield "| without | error | log loss | left out - test, log loss | CPU | loses most, log loss |\n|---|---|---|---|---|---|"
    for r in rows:
        cell = [f"{1000 * r['mean'][i]:+.1f} ± {1000 * r['se'][i]:.1f}" for i in (0, 1, 3)]
        yield (f"| `{r['rule']}` | {' | '.join(cell)} | {r['cpu']:.2f} | {r['worst']} "
               f"{1000 * r['by']:+.0f} ± {1000 * r['by_se']:.0f} |")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/experiments/ablation/ablation")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rules", default="")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--tables", default="")
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--csv", default="ablation.csv")
    parser.add_argument("--known", nargs="*", default=[])
    parser.add_argument("--commit", default="", help="of the binary; this folder's, if it is not said")
    parser.add_argument("--against")
    parser.add_argument("--markdown")
    asked = parser.parse_args()
    if asked.splits > 0:
        with open(asked.csv, "w", newline="") as out:
            csv.writer(out).writerow(COLUMNS)
            measure(asked, out)
    found = read([*asked.known, *([asked.csv] if asked.splits > 0 else [])])
    rules = list(dict.fromkeys(rule for rows in found.values() for rule in rows if rule))
    rows = sorted(summary(found, rules), key=lambda r: -r["mean"][1])
    title = f"{date.today()}, {asked.commit or commit()}, {len({key[1] for key in found})} tables, {len(found)} splits"
    tell(rows, title)
    if asked.markdown:
        Path(asked.markdown).write_text("\n".join(markdown(rows, title)) + "\n")


if __name__ == "__main__":
    main()
