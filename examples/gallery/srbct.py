"""Four tumours of childhood

63 samples of four small round blue cell tumours, 2308 genes (Khan et al., Nat. Med. 7, 673, 2001). More than two classes: each is solved against the rest, and
their fields are joined to probabilities that sum to one.

![Confusion of left-out samples, and the genes by class](srbct.svg)

No left-out sample is called wrong. That is not an error of 0 %: the interval says up to where it may lie. The right picture shows which gene speaks for which
class; red speaks for it, blue against it. In a fit of more than two classes a gene has an inclusion for each.

The fit also warns: two of the samples are far more alike than the others. If they are one patient measured twice, [say so](../data.md#several-samples-of-one-patient).
"""
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import cavity

table = pd.read_csv(Path(os.environ.get("CAVITY_DATA", "../shared/data")) / "srbct.csv.gz")
X, y = table.drop(columns="label"), table["label"]
clf = cavity.SparseBayesClassifier(n_jobs=-1).fit(X, y)

print(f"leave-one-out error {clf.loo_error_:.1%}, 95 % interval {clf.loo_error_interval_[0]:.1%} to {clf.loo_error_interval_[1]:.1%}")
for warning in clf.warnings_:
    print("warning:", warning["name"])

figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), width_ratios=[1, 1.5])
left.imshow(clf.confusion_, cmap="Blues")
for (i, j), count in np.ndenumerate(clf.confusion_):
    left.text(j, i, f"{count:.0f}", ha="center", va="center", color="white" if count > 10 else "black")
classes = range(len(clf.classes_))
left.set(xticks=classes, yticks=classes, xticklabels=clf.classes_, yticklabels=clf.classes_, xlabel="called", ylabel="is")
left.set_title("left-out samples")

top = clf.inclusion_probability_.argsort()[::-1][:16]
signed = np.sign(clf.coef_[:, top]) * clf.coef_inclusion_[:, top]
picture = right.imshow(signed, vmin=-0.5, vmax=0.5, aspect="auto")
right.set_xticks(range(len(top)), X.columns[top], rotation=90)
right.set_yticks(classes, clf.classes_)
right.set_title("inclusion, with the sign of the weight")
figure.colorbar(picture, ax=right)
figure.savefig("srbct.svg")
