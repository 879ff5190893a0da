"""Features that were not measured at the other site: predictions without them against predictions with all.

    python experiments/absent/run.py --binary build/release/cavity --data ../shared/data --out FILE [--sets colon,...]
        [--folds 9] [--only 0,1,...] [--shares 0.3,0.7,0.95] [--patterns 1] [--refit]

Every fold's fit predicts the samples left out with all features, and without a share of them: at random, and with the 20
largest weights among them, --patterns times each. Error, log loss, slope of a logistic regression of the truth on the logit
of the stated probability with its standard error (slope 1: calibrated; below: too sure), beside them the same with the
absent features at their training means, which is what filling in would do (`mean`), and with --refit a new fit of the
features that are there, all that anybody could do (`refit`); and the share of what decides that cavity says is explained.
Log losses are given as differences to all features, means over patterns, with the standard error over samples. A line of
JSON a fold goes to --out as it is done; those that are there are not done again, and the summary is of all of them.

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
    """Slope and its standard error by Newton's method, a weak prior so that separable samples have some."""
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
    return slope, math.sqrt(h[2] / (h[0] * h[2] - h[1] ** 2))


def deal(labels, folds, chance):
    fold = [0] * len(labels)
    for name in sorted(set(labels)):
        of = [i for i, label in enumerate(labels) if label == name]
        chance.shuffle(of)
        for k, i in enumerate(of):
            fold[i] = k % folds
    return fold


def filled_with_means(folder, header, rows, known, absent):
    """The table as somebody who fills in would bring it."""
    means = {c: sum(float(row[c]) for row in known) / len(known) for c in absent}
    write(f"{folder}/mean.csv", header, [[means.get(c, row[c]) for c in range(len(row))] for row in rows], range(len(header)))


def strongest_of(a, folder):
    listed = subprocess.run([a.binary, "features", f"{folder}/model", "--json"], check=True, capture_output=True, text=True)
    return {f["name"] for f in sorted(json.loads(listed.stdout)["features"], key=lambda f: -abs(f["weight"]))[:20]}


def fold_of(a, name, header, known, new, k):
    positive = sorted({row[0] for row in known + new})[1]

    def said(folder, model, file):
        made = predict(a.binary, f"{folder}/{model}", f"{folder}/{file}")
        at = made["classes"].index(positive)
        return [one["probabilities"][at] for one in made["samples"]], made["measured"]["explained"]

    out = {"table": name, "fold": k, "truth": [row[0] == positive for row in new], "ways": []}
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/known.csv", header, known, range(len(header)))
        fit(a, folder, "known", "model")
        strongest = {c for c in range(1, len(header)) if header[c] in strongest_of(a, folder)}
        write(f"{folder}/new.csv", header, new, range(len(header)))
        out["whole"] = said(folder, "model", "new.csv")[0]
        for number, (share, best, _) in enumerate((s, b, p) for s in a.shares for b in (False, True) for p in range(a.patterns)):
            chance = random.Random(1000003 * a.seed + 1009 * k + number)
            others = [c for c in range(1, len(header)) if not (best and c in strongest)]
            absent = set(chance.sample(others, round(share * len(others)))) | (strongest if best else set())
            columns = [c for c in range(len(header)) if c not in absent]
            write(f"{folder}/part.csv", header, new, columns)
            told, explained = said(folder, "model", "part.csv")
            filled_with_means(folder, header, new, known, absent)
            way = {"share": share, "best": best, "explained": explained, "told": told, "mean": said(folder, "model", "mean.csv")[0]}
            if a.refit:
                write(f"{folder}/there.csv", header, known, columns)
                fit(a, folder, "there", "refit")
                way["refit"] = said(folder, "refit", "part.csv")[0]
            out["ways"].append(way)
    return out


def fit(a, folder, table, model):
    subprocess.run([a.binary, "fit", f"{folder}/{table}.csv", "-q", "--threads", "1", "-o", f"{folder}/{model}"], check=True, capture_output=True)


def losses(p, truth):
    return [-math.log(max(1e-300, x if y else 1 - x)) for x, y in zip(p, truth)]


def figures(p, truth, whole):
    """p, whole: a list a pattern; difference of log loss by sample, mean over patterns."""
    more = [[x - y for x, y in zip(losses(one, truth), losses(whole, truth))] for one in p]
    more = [sum(column) / len(column) for column in zip(*more)]
    mean = sum(more) / len(more)
    se = math.sqrt(sum((x - mean) ** 2 for x in more)) / len(more)
    wrong = sum((x >= 0.5) != y for one in p for x, y in zip(one, truth)) / len(p) / len(truth)
    slopes = [calibration([math.log(max(1e-12, x) / max(1e-12, 1 - x)) for x in one], truth) for one in p]
    slope, slope_se = (sum(column) / len(column) for column in zip(*slopes))
    return f"{wrong:.3f} ({mean:+.3f} +- {se:.3f}) slope {slope:.2f} +- {slope_se:.2f}"


def summarise(results, name):
    own = sorted((one for one in results if one["table"] == name), key=lambda one: one["fold"])
    if not own:
        return
    truth, whole = [y for one in own for y in one["truth"]], [p for one in own for p in one["whole"]]
    log_loss = sum(losses(whole, truth)) / len(truth)
    print(f"{name:9} {len(own)} folds, {len(truth)} samples: all there, log loss {log_loss:.3f}, error {figures([whole], truth, whole)}")
    kinds = sorted({(way["share"], way["best"]) for way in own[0]["ways"]})
    for share, best in kinds:
        ways = [[way for way in one["ways"] if (way["share"], way["best"]) == (share, best)] for one in own]
        line = f"{name:9} {100 * share:3.0f} %{' and the 20 largest' if best else '':19}"
        for how in ("told", "mean", "refit"):
            if all(how in way for of in ways for way in of):
                patterns = [[p for way in pattern for p in way[how]] for pattern in zip(*ways)]
                line += f" | {how} {figures(patterns, truth, whole)}"
        explained = [way["explained"] for of in ways for way in of]
        print(f"{line} | explained {sum(explained) / len(explained):.2f}, {len(ways[0])} patterns", flush=True)


def study(a, name, results):
    header, rows = read(a.data / f"{name}.csv.gz")
    fold = deal([row[0] for row in rows], a.folds, random.Random(a.seed))
    done = {one["fold"] for one in results if one["table"] == name}
    with a.out.open("a") as out:
        for k in sorted(set(a.only or range(a.folds)) - done):
            known, new = ([row for row, f in zip(rows, fold) if (f == k) == is_new] for is_new in (False, True))
            results.append(fold_of(a, name, header, known, new, k))
            print(json.dumps(results[-1]), file=out, flush=True)


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
    parser.add_argument("--only", type=lambda text: [int(fold) for fold in text.split(",")], help="these folds alone")
    parser.add_argument("--shares", default=[0.3, 0.7, 0.95], type=lambda text: [float(share) for share in text.split(",")])
    parser.add_argument("--patterns", type=int, default=1)
    parser.add_argument("--refit", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cost", action="store_true")
    a = parser.parse_args()
    if a.cost:
        return cost(a)
    if a.out is None:
        parser.error("--out is needed: a file for the rows")
    results = [json.loads(line) for line in a.out.read_text().splitlines()] if a.out.exists() else []
    for name in a.sets.split(","):
        study(a, name, results)
        summarise(results, name)


main()
