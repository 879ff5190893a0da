"""A ring: what no weighted sum sees

Simulated: 500 samples, 250 features. A sample is of the class *out* where two of the features lie far from their middle together, inside or outside of a ring; 5 % of the labels are flipped. No feature says anything by itself, and no
weighted sum of features does. What do a straight and a bent boundary make of it, and are the two features found?

![The two features with the classes, what the bent boundary says along each of the most relevant ones, and relevance](ring.svg)

The default fit tries both boundaries and says which predicts better on samples left out: here a bent one, by far. Features are pruned inside it: each has a relevance, found by ascent of the evidence, and what the
fit says of its error comes from folds in which the relevances were found anew, since they are fitted to the labels. The curves show what one feature does while all others stay: both ends of either speak for *out*, and how
much depends on the other, which is what the band says. `questions_[0]["boundary"]` has all of this; `cavity features --json` and the page of a fit, too.
"""
import matplotlib.pyplot as plt
import numpy as np

import cavity

chance = np.random.default_rng(2)
X = chance.normal(size=(2500, 250))
radius = X[:, 20] ** 2 + X[:, 170] ** 2
out = (radius > 2 * np.log(2)) ^ (chance.random(len(X)) < 0.05)
y = np.where(out, "out", "in")
train, test = slice(0, 500), slice(500, None)

fits = {name: cavity.SparseBayesClassifier(boundary=name).fit(X[train], y[train]) for name in ("straight", "auto")}
for name, clf in fits.items():
    print(f"boundary {name}: leave-one-out {clf.loo_error_:.3f}, on 2000 others {1 - clf.score(X[test], y[test]):.3f}")
boundary = fits["auto"].questions_[0]["boundary"]
print(f"share of the bent boundary {boundary['share']:.2f}; most relevant: "
      + ", ".join(f"{one['name']} {one['relevance']:.2f}" for one in boundary["relevant"][:3]))
for pair in boundary["pairs"][:1]:
    print(f"act together: {pair['first']} with {pair['second']}, {pair['strength']:.2f}")

figure, axes = plt.subplots(1, 3, figsize=(9, 3.1), layout="constrained")
for label, colour in [("in", "C0"), ("out", "C3")]:
    at = y[train] == label
    axes[0].scatter(X[train][at, 20], X[train][at, 170], s=8, color=colour, label=label, alpha=0.7)
axes[0].set(xlabel="x21", ylabel="x171", aspect="equal")
axes[0].legend(loc="upper right", fontsize=8)
for one, colour in zip(boundary["relevant"][:2], ["C0", "C1"]):
    effect = one["effect"]
    axes[1].plot(effect["value"], effect["probability"], color=colour, label=one["name"])
    axes[1].fill_between(effect["value"], effect["low"], effect["high"], color=colour, alpha=0.15, linewidth=0)
axes[1].set(xlabel="value of the feature", ylabel="probability of out", ylim=(0, 1))
axes[1].legend(fontsize=8)
shown = boundary["relevant"][:6]
axes[2].barh([str(one["name"]) for one in shown][::-1], [one["relevance"] for one in shown][::-1])
axes[2].set(xlabel="part of all relevance")
figure.savefig("ring.svg")
