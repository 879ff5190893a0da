"""The tables on which cavity is compared with others: gene tables and others of ../shared/data (CAVITY_DATA names another
folder), two of scikit-learn's, and one that is made. `TABLES[name]()` gives values and labels, or raises FileNotFoundError."""

import gzip
import os
import pathlib

import numpy as np

DATA = pathlib.Path(os.environ.get("CAVITY_DATA", pathlib.Path(__file__).parent / "../../shared/data"))
GENES = ("colon", "leukemia", "prostate", "breast")


def shared(name):
    """Its file has the label first, and no value is missing."""
    with gzip.open(DATA / f"{name}.csv.gz", "rt") as lines:
        next(lines)
        label, values = zip(*(line.rstrip("\n").split(",", 1) for line in lines))
    return np.array([row.split(",") for row in values], np.float32), np.array(label)


def cancer():
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


def digits():
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    return x, y % 2


def correlated():
    """500 x 5000, half of the variance in 20 factors, 50 features behind the labels, 3 % flips."""
    random = np.random.default_rng(3)
    x = random.normal(size=(500, 20)) @ random.normal(size=(20, 5000)) / np.sqrt(20) + random.normal(size=(500, 5000))
    weight = np.zeros(5000)
    weight[random.choice(5000, 50, replace=False)] = random.normal(size=50)
    field = x @ weight
    labels = field + 0.3 * field.std() * random.normal(size=500) > 0
    return x, (labels ^ (random.random(500) < 0.03)).astype(int)


def text():
    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(gzip.open(DATA / "pcmac.svm.gz"))
    return x.toarray(), y.astype(int)


TABLES = {name: (lambda name=name: shared(name)) for name in (*GENES, "arcene")}
TABLES |= {"pcmac": text, "madelon": lambda: shared("madelon"), "breast_cancer": cancer, "digits": digits,
           "500x5000": correlated}  # fmt: skip
