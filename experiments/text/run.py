"""Leave-one-out of gamp on text against new samples: real word counts, and simulated ones with topics and near-synonyms.

    python experiments/text/run.py --binary build/release/cavity [--splits 12] [--first 0] [--sets pcmac,dexter,topics]
        [--csv FILE] [--known FILE ...]

Two thirds of the documents are fitted, what leave-one-out says is compared with the other third; a line a table: error and
log loss by leave-one-out, on new documents, their difference, each with its standard error over the splits, with those of
the --known files of former runs. Needs numpy.
"""
import argparse
import csv
import gzip
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

DATA = Path(os.environ.get("CAVITY_DATA", Path(__file__).parents[3] / "shared" / "data"))
COLUMNS = ("table", "split", "loo_error", "error", "loo_log_loss", "log_loss")


def simulated(seed, documents=1000, words=5000, topics=40, synonyms=3, length=120):
    """Documents of a few topics each; every word has near-synonyms that share its topics. Two topics speak for a class."""
    random = np.random.default_rng(seed)
    stems = words // synonyms
    weight = random.dirichlet(np.full(stems, 0.02), topics)
    share = random.dirichlet(np.full(topics, 0.1), documents)
    use = random.dirichlet(np.full(synonyms, 1.0), stems)
    lines = []
    strength = share[:, :topics // 4].sum(1) - share[:, topics // 4:topics // 2].sum(1)
    label = np.where(strength + 0.1 * random.standard_normal(documents) > np.median(strength), 1, -1)
    for d in range(documents):
        counts = random.multinomial(length, share[d] @ weight)
        entries = {}
        for stem in np.flatnonzero(counts):
            for k, count in enumerate(random.multinomial(counts[stem], use[stem])):
                if count:
                    entries[stem * synonyms + k + 1] = count
        lines.append(f"{label[d]} " + " ".join(f"{word}:{entries[word]}" for word in sorted(entries)))
    return lines


def documents(name, split):
    if name == "topics":
        return simulated(split)
    return [line for line in gzip.open(DATA / f"{name}.svm.gz", "rt").read().splitlines() if line.strip()]


def compared(binary, folder, name, split):
    lines = documents(name, split)
    order = np.random.default_rng([split, 7]).permutation(len(lines))
    count = 2 * len(lines) // 3
    for part, which in (("train", order[:count]), ("test", order[count:])):
        (folder / part).write_text("\n".join(lines[i] for i in which) + "\n")

    def run(*command):
        return json.loads(subprocess.run([binary, *command, "--json", "-q"], check=True, capture_output=True).stdout)

    fit = run("fit", folder / "train", "-o", folder / "model", "--threads", "1")
    said = run("predict", folder / "model", folder / "test")
    own = np.array([s["probabilities"][said["classes"].index(s["truth"])] for s in said["samples"]])
    return fit["loo_error"], np.mean(own < 0.5), fit["loo_log_loss"], -np.mean(np.log(own))


def with_error(values):
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{np.mean(values):.4f} +- {error:.4f}"


def summary(rows):
    print("table, splits: leave-one-out error, new documents', difference; log loss likewise")
    for name in dict.fromkeys(row[0] for row in rows):
        loo, new, loo_loss, new_loss = np.array([row[2:] for row in rows if row[0] == name], float).T
        print(f"{name}, {len(loo)}: {with_error(loo)}, {with_error(new)}, {with_error(loo - new)}; "
              f"{with_error(loo_loss)}, {with_error(new_loss)}, {with_error(loo_loss - new_loss)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--splits", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sets", default="pcmac,dexter,topics")
    parser.add_argument("--csv", default="text.csv")
    parser.add_argument("--known", nargs="*", default=[])
    asked = parser.parse_args()
    rows = [row for file in asked.known for row in list(csv.reader(open(file)))[1:]]
    with tempfile.TemporaryDirectory() as folder, open(asked.csv, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        for split in range(asked.first, asked.first + asked.splits):
            for name in asked.sets.split(","):
                rows.append((name, split, *compared(asked.binary, Path(folder), name, split)))
                writer.writerow(rows[-1])
                out.flush()
    summary(rows)


if __name__ == "__main__":
    main()
