"""Colon: it works, and no gene is certain

62 samples of colon tissue, 40 of a tumour, 2000 genes (Alon et al., PNAS 96, 6745, 1999). The usual case: few samples, genes in
blocks that rise and fall together.

![The error hardly differs between 12 and 1000 genes kept; no gene has a large inclusion; ranking and probabilities of left-out samples](colon.svg)

The classifier is wrong for about one sample in eight, and guessing for one in three. The upper left picture says that it hardly matters
whether 12 genes are kept or 1000 (only with one to six it becomes worse): the information is in many of them. So no single gene is needed, and none has an inclusion that could be called a discovery. The list that keeps its expected
false share below a tenth is empty. That is an answer: publish the error, and no list.

The samples that are confidently wrong deserve a look before anything else: these data are known for a few samples whose labels are in doubt.
"""
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import cavity
from cavity import plots

table = pd.read_csv(Path(os.environ.get("CAVITY_DATA", "../shared/data")) / "colon.csv.gz")
X, y = table.drop(columns="label"), table["label"]
clf = cavity.SparseBayesClassifier(n_jobs=-1).fit(X, y)

low, high = clf.loo_error_interval_
print(f"leave-one-out error {clf.loo_error_:.1%}, 95 % interval {low:.1%} to {high:.1%}; guessing {np.mean(y == 'n'):.1%}")
print(f"largest inclusion {clf.inclusion_probability_.max():.2f}; genes expected to matter {clf.inclusion_probability_.sum():.0f}")
truth_probability = clf.loo_probability_[np.arange(len(y)), (y == "t").astype(int)]
wrong = np.argsort(truth_probability)[:5]
print("least expected labels:", ", ".join(f"sample {i + 1} ({y[i]}: {truth_probability[i]:.2f})" for i in wrong))

figure, axes = plt.subplots(2, 2, figsize=(9, 6.5))
plots.grid(clf, ax=axes[0, 0])
plots.inclusion(clf, n_features=12, ax=axes[0, 1])
plots.roc(clf, ax=axes[1, 0])
plots.calibration(clf, ax=axes[1, 1])
axes[0, 0].set_title("leave-one-out error by genes kept (density x 2000)")
axes[0, 1].set_title("the most included genes")
axes[1, 0].set_title("ranking of left-out samples")
axes[1, 1].set_title("are the probabilities right?")
figure.savefig("colon.svg")
