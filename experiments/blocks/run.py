"""Several blocks of features against one table of all their columns, against the right block alone, and with blocks missing.

    python experiments/blocks/run.py --binary build/release/cavity --data ../shared/data PART [--seeds 0-9] [--out FOLDER]
    python experiments/blocks/run.py --summary --out FOLDER

PART: `tcga` (150 training samples with mRNA, miRNA and protein, 70 new ones without protein: each block alone, all columns as
one table, all blocks), `simulated` (100 training samples, blocks 20, 500 and 20,000 wide, the truth in the small one, the
large one, two, or none: the blocks that are right, one table, blocks), `adds` (tables in which one block tells and two do not, or none
does, or one copies what another says: how often "adds" is said), `missing` (30 % of the samples lack a block, at random: whole,
blocks as they are, without those samples, with means in their place), `cost` (seconds of the fit). A row is written a table
and way, as it is done; rows that are there are not made again. Needs numpy.
"""
import argparse
import csv
import gzip
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

SIZES = {"small": 20, "middle": 500, "large": 20000}
FIELDS = ["part", "table", "seed", "way", "loo_error", "loo_log_loss", "error", "log_loss", "seconds", "more"]


def read_table(path):
    with gzip.open(path, "rt") as file:
        rows = list(csv.reader(file))
    return [row[0] for row in rows[1:]], rows[0][1:], [row[1:] for row in rows[1:]]


def write_block(path, ids, names, values):
    with open(path, "w") as file:
        file.write("id," + ",".join(names) + "\n")
        for sample, row in zip(ids, values):
            file.write(sample + "," + ",".join(f"{x:.6g}" for x in row) + "\n")


class Data:
    """Blocks: name -> (ids, feature names, values); labels: id -> class."""

    def __init__(self, blocks, labels):
        self.blocks, self.labels = blocks, labels

    def only(self, names):
        return Data({name: self.blocks[name] for name in names}, self.labels)

    def as_one(self):
        ids = list(self.labels)
        names = [f"{block}_{name}" for block, (_, features, _) in self.blocks.items() for name in features]
        columns = []
        for own, _, values in self.blocks.values():
            place = {sample: i for i, sample in enumerate(own)}
            columns.append(np.array([values[place[sample]] for sample in ids]))
        return Data({"all": (ids, names, np.hstack(columns))}, self.labels)

    def write(self, folder, name):
        files = []
        for block, (ids, features, values) in self.blocks.items():
            files.append((block, f"{folder}/{name}-{block}.csv"))
            write_block(files[-1][1], ids, features, values)
        with open(f"{folder}/{name}-sheet.csv", "w") as file:
            file.write("id,label\n" + "".join(f"{sample},{label}\n" for sample, label in self.labels.items()))
        return files


def arguments(files):
    out = [files[0][1]]
    if len(files) > 1:
        out += ["--block-name", files[0][0]]
    for block, path in files[1:]:
        out += ["--block", f"{block}={path}"]
    return out


def run(binary, *words):
    done = subprocess.run([binary, *words], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(f"cavity {' '.join(words)}: {done.stderr}")
    return done.stdout


def measured(binary, training, new, *options):
    """Leave-one-out, and what new samples say."""
    with tempfile.TemporaryDirectory() as folder:
        files = training.write(folder, "known")
        start = time.time()
        fit = json.loads(run(binary, "fit", *arguments(files), "--samples", f"{folder}/known-sheet.csv", "--label", "label", "--threads", "1",
                             "--json", "-o", f"{folder}/model", *options))  # fmt: skip
        out = {"loo_error": fit["loo_error"], "loo_log_loss": fit["loo_log_loss"], "seconds": round(time.time() - start, 2)}
        blocks = fit.get("blocks")
        out["more"] = json.dumps({b["name"]: {"scale": b["scale"], "share": b["field_share"], "adds": b["adds"], "gain": b["gain"] and b["gain"]["log_loss"],
                                              "se": b["gain"] and b["gain"]["log_loss_se"], "alone": b["alone"]} for b in blocks["blocks"]}) if blocks else ""  # fmt: skip
        if new:
            files = new.write(folder, "new")
            table = list(csv.DictReader(run(binary, "predict", f"{folder}/model", *arguments(files), "-q", "--threads", "1").splitlines()))
            classes = sorted(set(training.labels.values()))
            wrong, loss = [], []
            for row in table:
                label = new.labels[row["sample"]]
                if f"p_{label}" in row:
                    own = float(row[f"p_{label}"])
                else:
                    own = float(row["probability"]) if label == classes[1] else 1 - float(row["probability"])
                wrong.append(row["label"] != label)
                loss.append(-np.log(max(own, 1e-12)))
            out["error"], out["log_loss"] = float(np.mean(wrong)), float(np.mean(loss))
        return out


class Rows:
    def __init__(self, folder, part):
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.path = Path(folder) / f"{part}.csv"
        self.done = {(r["table"], r["seed"], r["way"]) for r in self.read()}

    def read(self):
        return list(csv.DictReader(open(self.path))) if self.path.exists() else []

    def add(self, part, table, seed, way, make):
        if (table, str(seed), way) in self.done:
            return
        row = {"part": part, "table": table, "seed": seed, "way": way, **make()}
        fresh = not self.path.exists()
        with open(self.path, "a", newline="") as file:
            out = csv.DictWriter(file, FIELDS)
            if fresh:
                out.writeheader()
            out.writerow(row)


def tcga(data):
    out = {}
    for part in ("train", "test"):
        ids, _, labels = read_table(f"{data}/blocks/tcga-{part}-subtype.csv.gz")
        blocks = {}
        for block in ("mrna", "mirna", "protein"):
            path = Path(f"{data}/blocks/tcga-{part}-{block}.csv.gz")
            if path.exists():
                own, names, values = read_table(path)
                blocks[block] = (own, names, np.array(values, float))
        out[part] = Data(blocks, {sample: row[0] for sample, row in zip(ids, labels)})
    return out["train"], out["test"]


def simulated(seed, truth, sparse=False, sizes=None, samples=100, new=300, noise=0.5, shared=False):
    """Half of a block's variance is that of ten factors, its own or `shared`; each block with truth counts as much as another."""
    sizes = sizes or SIZES
    random = np.random.default_rng(seed)
    count, blocks, field = samples + new, {}, np.zeros(samples + new)
    common = random.standard_normal((count, 10)) if shared else None
    for name, width in sizes.items():
        factors = (common if shared else random.standard_normal((count, 10))) @ random.standard_normal((10, width)) / np.sqrt(10)
        values = np.sqrt(0.5) * factors + np.sqrt(0.5) * random.standard_normal((count, width))
        blocks[name] = values
        if name in truth:
            weight = np.zeros(width)
            kept = min(10, width) if sparse else width
            weight[random.permutation(width)[:kept]] = random.standard_normal(kept)
            part = values @ weight
            field += part / part.std()
    if truth:
        field = field / field.std() + noise * random.standard_normal(count)
    else:
        field = random.standard_normal(count)
    labels = np.where(field > 0, "b", "a")
    ids = [f"s{i}" for i in range(count)]

    def rows(first, last):
        return Data({name: (ids[first:last], [f"{name}{j}" for j in range(v.shape[1])], v[first:last]) for name, v in blocks.items()},
                    dict(zip(ids[first:last], labels[first:last])))  # fmt: skip

    return rows(0, samples), rows(samples, count)


def part_tcga(a, rows):
    known, new = tcga(a.data)
    for block in known.blocks:
        rows.add("tcga", "tcga", 0, block, lambda block=block: measured(a.binary, known.only([block]), new.only([block]) if block in new.blocks else None))
    two = known.only(["mrna", "mirna"])
    rows.add("tcga", "tcga", 0, "two as one table", lambda: measured(a.binary, two.as_one(), new.as_one()))
    rows.add("tcga", "tcga", 0, "two blocks", lambda: measured(a.binary, two, new))
    rows.add("tcga", "tcga", 0, "three as one table", lambda: measured(a.binary, known.as_one(), new.as_one()))
    rows.add("tcga", "tcga", 0, "three blocks", lambda: measured(a.binary, known, new))


def part_simulated(a, rows):
    for seed in a.seeds:
        for truth in (["small"], ["large"], ["small", "large"], []):
            for sparse in (False, True) if truth else (False,):
                table = "+".join(truth) + (" sparse" if sparse else " dense")
                known, new = simulated(seed, truth, sparse)
                if truth:
                    rows.add("simulated", table, seed, "right", lambda: measured(a.binary, known.only(truth), new.only(truth)))
                rows.add("simulated", table, seed, "blocks", lambda: measured(a.binary, known, new))
                rows.add("simulated", table, seed, "one table", lambda: measured(a.binary, known.as_one(), new.as_one()))


def part_adds(a, rows):
    sizes = {"small": 20, "middle": 100, "large": 1000}
    for seed in a.seeds:
        for told in ("small", "large", "none", "copied"):
            known, _ = simulated(seed, [] if told == "none" else ["middle" if told == "copied" else told], sizes=sizes, samples=80, new=0)
            if told == "copied":  # half of the columns that tell, once more
                ids, names, values = known.blocks["middle"]
                known.blocks["small"] = (ids, [f"copy{j}" for j in range(50)], values[:, :50])
            rows.add("adds", told, seed, "blocks", lambda known=known: measured(a.binary, known, None, "--density", "0.5", "--noise", "0.02", "--boundary", "straight"))


def with_missing(known, share, seed):
    """Every sample lacks a block at that rate, none more than one."""
    random = np.random.default_rng(seed)
    names, lacks = list(known.blocks), {}
    for sample in known.labels:
        if random.random() < share:
            lacks[sample] = names[random.integers(len(names))]
    blocks = {}
    for name, (ids, features, values) in known.blocks.items():
        keep = [i for i, sample in enumerate(ids) if lacks.get(sample) != name]
        blocks[name] = ([ids[i] for i in keep], features, values[keep])
    return Data(blocks, known.labels), lacks


def without(known, lacks):
    blocks = {}
    for name, (ids, features, values) in known.blocks.items():
        keep = [i for i, sample in enumerate(ids) if sample not in lacks]
        blocks[name] = ([ids[i] for i in keep], features, values[keep])
    return Data(blocks, {sample: label for sample, label in known.labels.items() if sample not in lacks})


def with_means(part, all_ids):
    blocks = {}
    for name, (ids, features, values) in part.blocks.items():
        place, mean = {sample: i for i, sample in enumerate(ids)}, values.mean(0)
        blocks[name] = (all_ids, features, np.array([values[place[s]] if s in place else mean for s in all_ids]))
    return Data(blocks, part.labels)


def part_missing(a, rows):
    for seed in a.seeds:
        tables = {"tcga": tcga(a.data)}
        tables["simulated"] = simulated(seed, ["small", "middle"], sizes={"small": 20, "middle": 200, "large": 2000})
        tables["shared factors"] = simulated(seed, ["small", "middle"], sizes={"small": 20, "middle": 200, "large": 2000}, shared=True)
        for name, (known, new) in tables.items():
            new = new.only([b for b in known.blocks if b in new.blocks])
            part, lacks = with_missing(known, 0.3, seed)
            rows.add("missing", name, seed, "whole", lambda: measured(a.binary, known, new))
            rows.add("missing", name, seed, "blocks", lambda: measured(a.binary, part, new))
            rows.add("missing", name, seed, "left out", lambda: measured(a.binary, without(known, lacks), new))
            rows.add("missing", name, seed, "means", lambda: measured(a.binary, with_means(part, list(known.labels)), new))


def part_cost(a, rows):
    known, _ = simulated(1, ["small", "large"])
    rows.add("cost", "100 x 20520", 1, "one table", lambda: measured(a.binary, known.as_one(), None))
    rows.add("cost", "100 x 20520", 1, "blocks", lambda: measured(a.binary, known, None))
    known, _ = tcga(a.data)
    rows.add("cost", "tcga", 1, "one table", lambda: measured(a.binary, known.as_one(), None))
    rows.add("cost", "tcga", 1, "blocks", lambda: measured(a.binary, known, None))


PARTS = {"tcga": part_tcga, "simulated": part_simulated, "adds": part_adds, "missing": part_missing, "cost": part_cost}


def adds_summary(rows):
    for told in sorted({r["table"] for r in rows}):
        of = [json.loads(r["more"]) for r in rows if r["table"] == told]
        said = {block: sum(bool(m[block]["adds"]) for m in of) for block in of[0]}
        print(f"adds, {told} tells, {len(of)} tables: " + ", ".join(f"{block} {count}" for block, count in said.items()))


def summary(folder):
    for path in sorted(Path(folder).glob("*.csv")):
        rows = list(csv.DictReader(open(path)))
        if rows and rows[0]["part"] == "adds":
            adds_summary(rows)
            continue
        for table, way in dict.fromkeys((r["table"], r["way"]) for r in rows):
            of = [r for r in rows if (r["table"], r["way"]) == (table, way)]
            figures = []
            for field in FIELDS[4:9]:
                values = [float(r[field]) for r in of if r[field] not in ("", "None")]
                if values:
                    figures.append(f"{field} {np.mean(values):.4f}" + (f" +- {np.std(values) / np.sqrt(len(values) - 1):.4f}" if len(values) > 1 else ""))
            print(f"{rows[0]['part']}, {table}, {way} ({len(of)}): " + ", ".join(figures))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=list(PARTS))
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--seeds", default="0-9")
    parser.add_argument("--out", default="blocks-results")
    parser.add_argument("--name", help="of the file of rows (default: the part)")
    parser.add_argument("--summary", action="store_true")
    a = parser.parse_args()
    first, _, last = a.seeds.partition("-")
    a.seeds = range(int(first), int(last or first) + 1)
    if a.part:
        PARTS[a.part](a, Rows(a.out, a.name or a.part))
    if a.summary or not a.part:
        summary(a.out)


if __name__ == "__main__":
    main()
