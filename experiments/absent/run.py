"""Features that were not measured at the other site: predictions without them against predictions with all.

    python experiments/absent/run.py --binary build/release/cavity --data ../shared/data [--sets colon,...] [--folds 9]

Every fold's fit predicts the samples left out with all features, and without a share of them: at random, and with the 20
largest weights among them. Error, log loss, slope and intercept of a logistic regression of the truth on the logit of the
stated probability (slope 1: calibrated; below: too sure), beside them the same with the absent features at their training
means, which is what filling in would do (`mean`), and the share of what decides that cavity says is explained. The
standard error of the log loss's difference to all features is over samples.

    python experiments/absent/run.py --cost        CPU seconds of a fit and of 1000 new samples, all there and half absent
Needs nothing but Python.
"""
import argparse
import csv
import gzip
import json
import math
import random
import resource
import subprocess
import tempfile
from pathlib import Path


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(path, header, rows, columns):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([header[c] for c in columns])
        out.writerows([[row[c] for c in columns] for row in rows])


def predict(binary, model, data):
    run = subprocess.run([binary, "predict", model, data, "--json", "--threads", "1", "--least-explained", "0"], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def calibration(logits, truth):
    """Slope and intercept by Newton's method, a weak prior so that separable samples have some."""
    slope, intercept = 1.0, 0.0
    for _ in range(60):
        g = [-1e-3 * (slope - 1), -1e-3 * intercept]
        h = [1e-3, 0.0, 1e-3]
        for x, y in zip(logits, truth):
            p = 1 / (1 + math.exp(-max(-500, min(500, slope * x + intercept))))
            g[0] += (y - p) * x
            g[1] += y - p
            w = p * (1 - p)
            h[0] += w * x * x
            h[1] += w * x
            h[2] += w
        d = h[0] * h[2] - h[1] ** 2
        slope += (h[2] * g[0] - h[1] * g[1]) / d
        intercept += (h[0] * g[1] - h[1] * g[0]) / d
    return slope, intercept


def deal(labels, folds, chance):
    fold = [0] * len(labels)
    for name in sorted(set(labels)):
        of = [i for i, label in enumerate(labels) if label == name]
        chance.shuffle(of)
        for k, i in enumerate(of):
            fold[i] = k % folds
    return fold


def losses(p, truth):
    return [-math.log(max(1e-300, x if y else 1 - x)) for x, y in zip(p, truth)]


def filled_with_means(folder, header, rows, known, absent, columns):
    """The table as somebody who fills in would bring it."""
    means = {c: sum(float(row[c]) for row in known) / len(known) for c in absent}
    write(f"{folder}/mean.csv", header, [[means.get(c, row[c]) for c in range(len(row))] for row in rows], columns)


def study(a, name):
    header, rows = read(a.data / f"{name}.csv.gz")
    labels = [row[0] for row in rows]
    positive = sorted(set(labels))[1]
    chance = random.Random(a.seed)
    fold = deal(labels, a.folds, chance)
    ways = [(0.0, False)] + [(share, best) for share in (0.3, 0.7, 0.95) for best in (False, True)]
    said = {(way, how): [None] * len(rows) for way in ways for how in ("told", "mean")}
    explained = {way: [] for way in ways}
    for k in range(a.folds):
        known = [row for row, f in zip(rows, fold) if f != k]
        new = [i for i, f in enumerate(fold) if f == k]
        with tempfile.TemporaryDirectory() as folder:
            write(f"{folder}/known.csv", header, known, range(len(header)))
            subprocess.run([a.binary, "fit", f"{folder}/known.csv", "-q", "--threads", "1", "-o", f"{folder}/model"], check=True, capture_output=True)
            listed = subprocess.run([a.binary, "features", f"{folder}/model", "--json"], check=True, capture_output=True, text=True)
            listed = json.loads(listed.stdout)
            listed = listed["features"] if isinstance(listed, dict) else listed
            strongest = {f["name"] for f in sorted(listed, key=lambda f: -abs(f["weight"]))[:20]}
            for way in ways:
                share, best = way
                others = [c for c in range(1, len(header)) if not (best and header[c] in strongest)]
                absent = set(chance.sample(others, round(share * len(others))))
                if best:
                    absent |= {c for c in range(1, len(header)) if header[c] in strongest}
                columns = [c for c in range(len(header)) if c not in absent]
                table = [rows[i] for i in new]
                write(f"{folder}/new.csv", header, table, columns)
                made = predict(a.binary, f"{folder}/model", f"{folder}/new.csv")
                at = made["classes"].index(positive)
                explained[way].append(made["measured"]["explained"])
                filled_with_means(folder, header, table, known, absent, range(len(header)))
                plain = predict(a.binary, f"{folder}/model", f"{folder}/mean.csv")
                for i, one, other in zip(new, made["samples"], plain["samples"]):
                    said[way, "told"][i], said[way, "mean"][i] = one["probabilities"][at], other["probabilities"][at]
    truth = [label == positive for label in labels]
    whole = losses(said[ways[0], "told"], truth)
    for way in ways:
        line = f"{name:9} {100 * way[0]:3.0f} %{' and the 20 largest' if way[1] else '':19}"
        for how in ("told", "mean"):
            p = said[way, how]
            loss = losses(p, truth)
            more = [x - y for x, y in zip(loss, whole)]
            mean = sum(more) / len(more)
            se = math.sqrt(sum((x - mean) ** 2 for x in more)) / len(more)
            wrong = sum((x >= 0.5) != y for x, y in zip(p, truth)) / len(p)
            slope, intercept = calibration([math.log(max(1e-12, x) / max(1e-12, 1 - x)) for x in p], truth)
            line += f" | {how} {wrong:.3f} {sum(loss) / len(loss):.3f} ({mean:+.3f} +- {se:.3f}) slope {slope:.2f} {intercept:+.2f}"
        print(f"{line} | explained {sum(explained[way]) / len(explained[way]):.2f}", flush=True)


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost(a):
    header, rows = read(a.data / "prostate.csv.gz")
    chance = random.Random(a.seed)
    new = [rows[i % len(rows)] for i in range(1000)]
    half = [0] + sorted(chance.sample(range(1, len(header)), (len(header) - 1) // 2))
    few = [[row[0]] + ["" if chance.random() < 0.01 else v for v in row[1:]] for row in new]
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/known.csv", header, rows, range(len(header)))
        fit = seconds(a.binary, "fit", f"{folder}/known.csv", "-q", "--threads", "1", "-o", f"{folder}/model")
        write(f"{folder}/all.csv", header, new, range(len(header)))
        write(f"{folder}/half.csv", header, new, half)
        write(f"{folder}/few.csv", header, few, range(len(header)))
        times = [min(seconds(a.binary, "predict", f"{folder}/model", f"{folder}/{name}.csv", "--threads", "1", "-q") for _ in range(3)) for name in ("all", "half", "few")]
    print(f"prostate, CPU seconds: fit {fit:.2f}; 1000 new samples: all there {times[0]:.2f}, half of the genes {times[1]:.2f}, 1 % of the values missing {times[2]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", default="colon,leukemia,prostate,breast")
    parser.add_argument("--folds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cost", action="store_true")
    a = parser.parse_args()
    if a.cost:
        return cost(a)
    for name in a.sets.split(","):
        study(a, name)


main()
