"""Digits: which pixels tell a 3 from an 8?

Handwritten digits of 8 x 8 pixels (scikit-learn's `load_digits`), 60 threes and eights to learn from, the rest to be tested on. Features that can be looked at: what do inclusion and weight mean?

![Mean three and eight, inclusion and weight of each pixel, and the error against the number of samples](digits.svg)

The pixels that decide are where an eight closes its loops and a three is open, at the left edge: blue speaks for a three, red for an eight. Neighbouring pixels carry the same information, so that each has a part of the
inclusion only. Pixels that are empty in every image have none.

The last picture repeats the fit with more and more samples, six times from other samples: the error that leave-one-out states from the training samples alone, and the error on samples that were set aside. With 20 or 30 samples
the stated error is a matter of luck, and here it is too small; its interval, which is wide then, is what to believe. From 90 samples on both agree.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import cavity

images, digit = load_digits(return_X_y=True)
chosen = np.isin(digit, [3, 8])
X, y = images[chosen], digit[chosen]

sizes, shuffles = [20, 30, 40, 60, 90, 130, 180], 6
stated, found = np.zeros((shuffles, len(sizes))), np.zeros((shuffles, len(sizes)))
for shuffle in range(shuffles):
    order = np.random.default_rng(shuffle).permutation(len(y))
    test = order[180:]
    for i, size in enumerate(sizes):
        train = order[:size]
        clf = cavity.SparseBayesClassifier().fit(X[train], y[train])
        stated[shuffle, i] = clf.loo_error_
        found[shuffle, i] = 1 - clf.score(X[test], y[test])
        if shuffle == 0 and size == 60:
            inclusion, weight = clf.inclusion_probability_, clf.coef_[0]
for size, left_out, error in zip(sizes, stated.mean(axis=0), found.mean(axis=0)):
    print(f"{size:4} samples: leave-one-out {left_out:.3f}, on {len(test)} others {error:.3f}")

figure = plt.figure(figsize=(8.5, 5))
axes = figure.subplot_mosaic([["3", "8", "inclusion", "weight"], ["error"] * 4], height_ratios=[1, 1.2])
for name, picture, title, style in [
    ("3", X[y == 3].mean(axis=0), "mean 3", {"cmap": "Greys"}),
    ("8", X[y == 8].mean(axis=0), "mean 8", {"cmap": "Greys"}),
    ("inclusion", inclusion, "inclusion, 60 samples", {"cmap": "Blues", "vmin": 0}),
    ("weight", weight, "weight, 60 samples", {"vmin": -abs(weight).max(), "vmax": abs(weight).max()}),
]:
    figure.colorbar(axes[name].imshow(picture.reshape(8, 8), **style), ax=axes[name], shrink=0.7)
    axes[name].set(xticks=[], yticks=[], title=title)
for errors, style, label in [(stated, "o-", "leave-one-out"), (found, "s--", "on the other samples")]:
    axes["error"].errorbar(sizes, errors.mean(axis=0), errors.std(axis=0) / shuffles**0.5, fmt=style, markersize=4, label=label)
axes["error"].set(xscale="log", xlabel="samples", ylabel="error", ylim=(0, None))
axes["error"].set_xticks(sizes, sizes)
axes["error"].minorticks_off()
axes["error"].legend()
figure.savefig("digits.svg")
