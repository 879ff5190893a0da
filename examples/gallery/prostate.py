"""Prostate: one gene beyond doubt

102 samples, 52 of a tumour, 12,600 genes (Singh et al., Cancer Cell 1, 203, 2002). Which genes would other samples have given?

![Inclusion on all samples against the share of random halves that select the gene](prostate.svg)

Each point is a gene: to the right, how probable it is that it decides, given all samples; upwards, in how many random halves of the samples it is
among the ten most included. One gene stands alone in the upper right corner: any half of the samples finds it. Genes that are high up at the left come back in most halves, but never alone: they
are members of correlated groups. Genes at the right that are low down owe their place to some of the samples.

[How to read the two numbers together](../stability.md).
"""
import os
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import cavity

table = pd.read_csv(Path(os.environ.get("CAVITY_DATA", "../shared/data")) / "prostate.csv.gz")
X, y = table.drop(columns="label"), table["label"]
clf = cavity.SparseBayesClassifier(n_jobs=-1).fit(X, y)
halves = cavity.stability(clf, X, y, pairs=10)

print(f"leave-one-out error {clf.loo_error_:.1%}, 95 % interval {clf.loo_error_interval_[0]:.1%} to {clf.loo_error_interval_[1]:.1%}")
print("gene    inclusion  share of halves")
order = halves.share.argsort()[::-1][:8]
for i in order:
    print(f"{halves.names[i]:7} {halves.inclusion[i]:9.3f}  {halves.share[i]:.2f}")

figure, ax = plt.subplots(figsize=(6.5, 4.2))
ax.scatter(halves.inclusion, halves.share, s=14, alpha=0.6, rasterized=True)
for i in order:
    ax.annotate(halves.names[i], (halves.inclusion[i], halves.share[i]), xytext=(5, 3), textcoords="offset points", fontsize=8)
ax.set(xscale="log", xlim=(5e-4, 1.6), xlabel="inclusion on all samples", ylabel="share of halves that select the gene")
figure.savefig("prostate.svg", dpi=150)
