"""Other ways to short lists of features, each with weights: projection, forward search on labels, most included, lasso.

A panel is (features, weights): the scores of a sample are weights[0] + z @ weights[1:], a column of two classes (above 0:
the second), else a column a class (the largest). Needs numpy and, for the lasso, scikit-learn.
"""
import warnings
from statistics import NormalDist

import numpy as np

RIDGE = 0.005


def normal_scores(x):
    """Within each sample; ties share the mean."""
    count = x.shape[1]
    table = np.array([NormalDist().inv_cdf((i + 0.5) / count) for i in range(count)])
    out = np.empty(x.shape)
    for row, to in zip(x, out):
        order = np.argsort(row, kind="stable")
        _, group, size = np.unique(row[order], return_inverse=True, return_counts=True)
        middle = np.cumsum(size) - (size + 1) / 2
        to[order] = np.interp(middle[group], np.arange(count), table)
    return out


def standardised(x, train):
    spread = x[train].std(0)
    return (x - x[train].mean(0)) / np.where(spread > 0, spread, np.inf)


def expit(field):
    return 1 / (1 + np.exp(-np.clip(field, -500, 500)))


def refit(a, q, w):
    """Ridge regression on the probabilities of one column."""
    penalty = RIDGE * len(a) * np.r_[1e-4, np.ones(len(w) - 1)]
    for _ in range(50):
        p = expit(a @ w)
        step = np.linalg.solve((a.T * (p * (1 - p))) @ a + np.diag(penalty), a.T @ (q - p) - penalty * w)
        w = w + step * min(1, 5 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return w


def refit_all(a, q, w):
    return np.column_stack([refit(a, q[:, k], w[:, k]) for k in range(q.shape[1])])


def forward(z, q, sizes):
    """The projection of q, samples x columns: size -> panel."""
    a, w, path, out = np.ones((len(z), 1)), np.zeros((1, q.shape[1])), [], {}
    squares = z * z
    for size in range(1, max(sizes) + 1):
        w, gain = refit_all(a, q, w), 0
        for k in range(q.shape[1]):
            p = expit(a @ w[:, k])
            v = p * (1 - p) + 1e-6
            crossed = (a * v[:, None]).T @ z
            seen = np.linalg.solve((a.T * v) @ a + 1e-9 * np.eye(size), crossed)
            gain = gain + (z.T @ (q[:, k] - p)) ** 2 / (squares.T @ v - (crossed * seen).sum(0) + RIDGE * len(z))
        gain[path] = -1
        path.append(int(gain.argmax()))
        a, w = np.c_[a, z[:, path[-1]]], np.r_[w, np.zeros((1, q.shape[1]))]
        if size in sizes:
            out[size] = (list(path), refit_all(a, q, w))
    return out


def refitted(z, q, ranked, sizes):
    """The first features of a list."""
    out = {}
    for size in sizes:
        top = ranked[:size]
        a = np.c_[np.ones(len(z)), z[:, top]]
        out[size] = (top, refit_all(a, q, np.zeros((a.shape[1], q.shape[1]))))
    return out


def lasso(z, y, sizes):
    """The weakest penalty that keeps no more features than asked for; several classes one against the rest."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import l1_min_c

    warnings.filterwarnings("ignore")
    sides = [y == k for k in (range(y.max() + 1) if y.max() > 1 else [1])]
    strength = min(l1_min_c(z, side, loss="log") for side in sides)
    out = {size: ([], np.r_[[np.log((side.mean() + 1e-9) / (1 - side.mean() + 1e-9)) for side in sides]][None]) for size in sizes}
    for factor in np.geomspace(1.02, 60, 40):
        fits = [LogisticRegression(penalty="l1", solver="liblinear", C=strength * factor, intercept_scaling=10, max_iter=200).fit(z, side)
                for side in sides]
        weights = np.vstack([one.coef_ for one in fits])
        kept = np.flatnonzero(np.abs(weights).max(0) > 1e-8)
        for size in sizes:
            if 0 < len(kept) <= size:
                out[size] = (kept, np.r_[[[one.intercept_[0] for one in fits]], weights[:, kept].T])
        if len(kept) > max(sizes) + 5:
            break
    return out


def calls(z, panel):
    features, weights = panel
    field = weights[0] + z[:, features] @ weights[1:]
    return field[:, 0] > 0 if field.shape[1] == 1 else field.argmax(1)
