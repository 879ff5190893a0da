"""Covariates that decide, or do not, beside features in which there is nothing: what does a fit say, and predict?

    python experiments/nothing/covariates.py --binary build/release/cavity [--tables 50] [--first 0]

Needs numpy. 60 samples of two or three classes, 500 features of noise, two covariates, of which the first moves the
classes' odds not at all, weakly or strongly. Prints by classes and effect, with its standard error: the share of tables with
the verdict "better" (the features are then said to add to the covariates: never true), the probability that no feature
matters, the shares of intervals of the error that hold the fitted classifier's own on 1000 new samples and that hold the
leave-one-out error of the covariates alone; and the log loss on the new samples, the fit's and of those who know the truth.
"""
import argparse
import functools
import json
import tempfile
from pathlib import Path

import numpy as np

from tables import Fitted, add_arguments, by, judged, mean_words, run

SAMPLES, FEATURES, NEW = 60, 500, 1000
EFFECTS = {"none": 0, "weak": 1, "strong": 3}  # of a standard deviation, in log odds from class to class
COLUMNS = ["tables", "better", "none", "error held", "alone held", "log loss", "truth"]


def draw(random, classes, effect, count):
    covariates = random.normal(size=(count, 2))
    field = effect * covariates[:, :1] * np.arange(classes)
    odds = np.exp(field - field.max(1, keepdims=True))
    share = odds / odds.sum(1, keepdims=True)
    labels = (random.random((count, 1)) > share.cumsum(1)).sum(1)
    return random.normal(size=(count, FEATURES)), covariates, labels, share


def write_covariates(path, covariates):
    path.write_text("id,age,dose\n" + "".join(f"{i + 1},{a:.6f},{b:.6f}\n" for i, (a, b) in enumerate(covariates)))
    return path


def judge(binary, task):
    classes, name, number = task
    random = np.random.default_rng([classes, EFFECTS[name], number])
    x, covariates, labels, _ = draw(random, classes, EFFECTS[name], SAMPLES)
    fresh, beside, truth, share = draw(random, classes, EFFECTS[name], NEW)
    with tempfile.TemporaryDirectory() as folder, Fitted(
            binary, x, labels, "--covariate-file", write_covariates(Path(folder) / "age.csv", covariates)) as fitted:
        np.save(fitted.at / "new.npy", fresh.astype(np.float32))
        said = json.loads(run(binary, "predict", fitted.at / "model", fitted.at / "new.npy", "--json", "-q", "--covariate-file",
                              write_covariates(fitted.at / "new_age.csv", beside)))
        says = fitted.says
    p = np.array([sample["probabilities"] for sample in said["samples"]])
    own = np.arange(NEW), truth
    low, high = says["loo_error_interval"]
    error, alone = np.mean(p.argmax(1) != truth), says["covariates_alone"]["loo_error"]
    none = min(q["hypotheses"][0]["posterior"] for q in says["questions"])
    return [float(v) for v in (says["verdict"]["better"], none, low - 0.01 <= error <= high + 0.01, low <= alone <= high,
                               -np.mean(np.log(p[own])), -np.mean(np.log(share[own])))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 50)
    a = parser.parse_args()
    tasks = [(classes, name, number) for number in range(a.first, a.first + a.tables) for classes in (2, 3) for name in EFFECTS]
    done = judged(functools.partial(judge, a.binary), tasks, a)
    print(f"{'classes effect':<16}" + "".join(f"{name:>14}" for name in COLUMNS))
    for (classes, name), rows in by(done, lambda task: task[:2]).items():
        print(f"{classes:<8}{name:<8}" + "".join(f"{word:>14}" for word in [len(rows), *(mean_words(c) for c in zip(*rows))]))


if __name__ == "__main__":
    main()
