"""Do the 95 % intervals of error and AUC hold the fitted classifier's own, on new samples?

    python experiments/nothing/coverage.py --binary build/release/cavity [--tables 200] [--first 0]

Needs numpy. Simulated tables of 300 features with ten common factors; none, five weak or three strong features decide. Prints
by samples and signal: the shares of tables whose intervals hold the error and the AUC on 5000 new samples (within .005, what
5000 samples leave open), those that lie wholly above or below, the mean and sd of leave-one-out error less the true one, the
true one, the intervals' mean width, how often the verdict is "better", and by how much always guessing has a smaller error on
the table than on new samples: classes are dealt, too, and of 40 samples one is mostly rarer than in truth.
"""
import argparse
import functools

import numpy as np

from tables import Fitted, add_arguments, by, judged, mean_words

FEATURES, FACTORS, SHARED, NEW, OPEN = 300, 10, 0.3, 5000, 0.005
SAMPLES = (40, 60, 150)
SIGNALS = {"none": (0, 5), "weak": (1.2, 5), "strong": (6, 3)}  # field's sd over the noise's, features that decide
COLUMNS = ["tables", "error held", "too high", "too low", "AUC held", "difference", "its sd", "true error", "width", "better", "guess"]


def auc(score, labels):
    order = np.argsort(score, kind="stable")
    rank = np.empty(len(score))
    rank[order] = np.arange(1, len(score) + 1)
    positives = labels.sum()
    return (rank[labels].sum() - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))


def table(samples, signal, decide, number):
    random = np.random.default_rng([samples, int(10 * signal), number])
    loadings = random.normal(size=(FACTORS, FEATURES)) * np.sqrt(SHARED / FACTORS)
    weights = np.zeros(FEATURES)
    weights[random.choice(FEATURES, decide, replace=False)] = random.normal(size=decide)
    draw = lambda n: random.normal(size=(n, FACTORS)) @ loadings + random.normal(size=(n, FEATURES)) * np.sqrt(1 - SHARED)
    x, fresh = draw(samples), draw(NEW)
    scale = (fresh @ weights).std()
    label = lambda rows: signal * (rows @ weights) / scale + random.normal(size=len(rows)) > 0
    return x, label(x), fresh, label(fresh)


def judge(binary, task):
    samples, name, number = task
    x, y, fresh, truth = table(samples, *SIGNALS[name], number)
    with Fitted(binary, x, y.astype(int)) as fitted:
        says = fitted.says
        p = fitted.probability(fresh)
    error, area = np.mean((p > 0.5) != truth), auc(p, truth)
    low, high = says["loo_error_interval"]
    below, above = says["questions"][0]["auc_interval"]
    return [float(v) for v in (low - OPEN <= error <= high + OPEN, low - OPEN > error, high + OPEN < error,
                               below - OPEN <= area <= above + OPEN, says["loo_error"] - error, error, high - low,
                               says["verdict"]["better"], says["loo_error"], low, high, area, below, above,
                               says["guessing"]["error"], says["permutation"]["p"], says["permutation"]["expected_error"],
                               says["permutation"]["error_sd"], truth.mean(), -np.mean(np.log(np.where(truth, p, 1 - p))))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, 200)
    a = parser.parse_args()
    tasks = [(samples, name, number) for number in range(a.first, a.first + a.tables) for samples in SAMPLES for name in SIGNALS]
    done = judged(functools.partial(judge, a.binary), tasks, a)
    print(f"{'samples signal':<16}" + "".join(f"{name:>14}" for name in COLUMNS))
    for (samples, name), rows in by(done, lambda task: task[:2]).items():
        column = list(zip(*rows))
        words = [len(rows), *(mean_words(c) for c in column[:5]), f"{np.std(column[4]):.3f}",
                 *(f"{np.mean(c):.3f}" for c in column[5:8]),
                 f"{np.mean([guess - min(share, 1 - share) for guess, share in zip(column[14], column[18])]):.3f}"]
        print(f"{samples:<7} {name:<8}" + "".join(f"{word:>14}" for word in words))


if __name__ == "__main__":
    main()
