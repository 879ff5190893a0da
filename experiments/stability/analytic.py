"""The average over halves without drawing one (`--analytic`) against halves that were drawn, for gamp.

    python experiments/stability/analytic.py --binary build/release/cavity [--pairs 100] [--table pcmac.svm.gz]

Random teacher-student tables of two sizes at three densities, or one table with the default grid. A line each: mean
|difference| over features of the mean inclusion and of the share of halves that select a feature, the error that so many
halves have themselves, and the CPU time of both beyond that of the fit. Needs Python's standard library only.
"""
import argparse
import csv
import resource
import subprocess
import tempfile


def cpu(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if (code := subprocess.run([str(word) for word in words], stderr=subprocess.DEVNULL).returncode) not in (0, 4):
        raise SystemExit(f"exit code {code}: {' '.join(map(str, words))}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def read(path):
    with open(path, newline="") as file:
        return {row["feature"]: row for row in csv.DictReader(file)}


def line(a, folder, what, data, options):
    fit = cpu(a.binary, "fit", data, "-q", *options)
    drawn = cpu(a.binary, "stability", data, "-q", "--selected", 50, "--pairs", a.pairs, "-o", f"{folder}/d.csv", *options) - fit
    average = cpu(a.binary, "stability", data, "-q", "--selected", 50, "--analytic", "-o", f"{folder}/a.csv", *options) - fit
    one, other = read(f"{folder}/d.csv"), read(f"{folder}/a.csv")
    off = lambda name: sum(abs(float(one[f][name]) - float(other[f][name])) for f in one) / len(one)
    shares = [float(row["share"]) for row in one.values()]
    own = sum(0.8 * (p * (1 - p) / (2 * a.pairs)) ** 0.5 for p in shares) / len(shares)
    print(f"{what:28} inclusion {off('mean'):.4f}  share {off('share'):.4f} (halves' own error {own:.4f})  "
          f"CPU {drawn:.2f} s against {average:.2f} s: {drawn / max(average, 0.01):.0f} times", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/cavity")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--table")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if a.table:
            return line(a, folder, a.table.rsplit("/", 1)[-1], a.table, ["--solver", "gamp"])
        for samples, features in ((2000, 2000), (1000, 5000)):
            for density in (0.2, 0.1, 0.05):
                data = f"{folder}/t.csv"
                cpu(a.binary, "simulate", "--samples", samples, "--features", features, "--teacher", density, "--noise", 0.05, "-o", data)
                options = ["--solver", "gamp", "--value-transform", "none", "--density", f"0.5,{density}", "--noise", 0.05]
                line(a, folder, f"{samples} x {features}, density {density}", data, options)


if __name__ == "__main__":
    main()
