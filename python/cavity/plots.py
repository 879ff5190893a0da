"""Pictures of a fit. They need matplotlib: ``pip install cavity[plot]``. Each returns its Axes.

Examples
--------
>>> import matplotlib
>>> matplotlib.use("Agg")
>>> import cavity
>>> from cavity import plots
>>> X, y, _ = cavity.simulate(60, 200, noise=0.05)
>>> clf = cavity.SparseBayesClassifier(density=[0.1, 0.3], noise=[0.02, 0.1]).fit(X, y)
>>> plots.grid(clf).get_xlabel()
'density'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, roc_curve
from sklearn.utils.validation import check_is_fitted

from . import theory
from ._classifier import SparseBayesClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["calibration", "grid", "inclusion", "learning_curve", "roc"]


def _axes(ax: Optional[Axes]) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install cavity[plot]") from error
    return pyplot.subplots(layout="constrained")[1]


def _class_index(classifier: SparseBayesClassifier, which: Any) -> int:
    """Of a class among all; the one of the first question unless given."""
    if which is None:
        which = classifier.questions_[0]["class"]
    found = np.flatnonzero(classifier.classes_ == which)
    if len(found) == 0:
        raise ValueError(f"class {which!r} is none of {classifier.classes_.tolist()}")
    return int(found[0])


def _question_index(classifier: SparseBayesClassifier, of_class: Any) -> int:
    """Two classes ask one question, which is about both."""
    found = _class_index(classifier, of_class)
    return found if len(classifier.questions_) > 1 else 0


def _left_out(classifier: SparseBayesClassifier, y: Optional[ArrayLike], of_class: Any) -> Tuple[int, Any, Any]:
    """A class, its leave-one-out probability for every sample, and which samples are of it."""
    proba = classifier.loo_probability_
    labels = classifier.classes_[classifier._truth] if y is None and len(classifier._truth) else np.asarray(y)
    if labels.shape != (len(proba),):
        raise ValueError(f"y has shape {labels.shape}, the classifier was fitted on {len(proba)} samples")
    k = _class_index(classifier, of_class)
    return k, proba[:, k], labels == classifier.classes_[k]


def roc(classifier: SparseBayesClassifier, ax: Optional[Axes] = None, *, of_class: Any = None) -> Axes:
    """True against false positive rate of the leave-one-out probabilities, with the area under the curve.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    of_class : optional
        The class whose probability is ranked; ``classes_[1]`` of two, else the first, unless given.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(classifier)
    k, p, hit = _left_out(classifier, None, of_class)
    false, true, _ = roc_curve(hit, p, drop_intermediate=False)
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="0.5", linestyle="--")
    ax.plot(false, true, label=f"{classifier.classes_[k]}: area {auc(false, true):.3f}")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="false positive rate", ylabel="true positive rate")
    ax.legend(loc="lower right")
    return ax


def grid(classifier: SparseBayesClassifier, ax: Optional[Axes] = None, *, of_class: Any = None) -> Axes:
    """Leave-one-out error of every grid cell against density, a line for each noise.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    of_class : optional
        For more than two classes: the class against the rest; the first unless given.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(classifier)
    ax = _axes(ax)
    table = classifier.grid_
    question = classifier.questions_[_question_index(classifier, of_class)]
    rows = table["class"] == question["class"]
    names = ("density", "noise", "width", "loo_error", "column")
    density, noise, width, error, columns = (np.asarray(table[name])[rows] for name in names)
    for column in np.unique(columns):  # noise may depend on density: lines join the cells of one column of the grid
        at = np.flatnonzero((columns == column) & np.isfinite(error))
        if len(at) == 0:
            continue
        values, first = np.unique(noise[at]), width[columns == column][0]
        label = f"{values[0]:.3g}" if len(values) == 1 else f"{values[0]:.3g} to {values[-1]:.3g}"
        ax.plot(density[at], error[at], marker="o", label=label + (f", width {first:.3g}" if first > 0 else ""))
    if question["loo_error"] is not None:
        ax.axhline(question["loo_error"], color="0.5", linestyle="--", label="of the fit")
    ax.set(xscale="log", xlabel="density", ylabel="leave-one-out error")
    ax.legend(title="noise")
    return ax


def inclusion(
    classifier: Any, ax: Optional[Axes] = None, *, n_features: int = 20, of_class: Any = None
) -> Axes:
    """Inclusion probabilities of the most included features as bars, the largest on top.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    n_features : int, default=20
        How many.
    of_class : optional
        Of this class against the others; the largest over the classes unless given.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(classifier)
    ax = _axes(ax)
    values = classifier.inclusion_probability_
    if of_class is not None:
        values = classifier.coef_inclusion_[_question_index(classifier, of_class)]
    top = np.argsort(-values, kind="stable")[:n_features]
    names = classifier._all_names()
    ax.barh(np.arange(len(top)), values[top])
    ax.set_yticks(np.arange(len(top)), [names[at] for at in top])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="inclusion probability")
    return ax


def calibration(
    classifier: SparseBayesClassifier,
    y: Optional[ArrayLike] = None,
    ax: Optional[Axes] = None,
    *,
    n_bins: int = 5,
    of_class: Any = None,
) -> Axes:
    """Observed frequency against leave-one-out probability, in bins of equal count, with standard errors.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted.
    y : array-like of shape (n_samples,), optional
        The labels it was fitted on; it knows them, except from a model file of 0.1.0.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    n_bins : int, default=5
        How many bins.
    of_class : optional
        The class whose probability is shown; ``classes_[1]`` of two, else the first, unless given.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(classifier)
    k, p, hit = _left_out(classifier, y, of_class)
    ax = _axes(ax)
    parts = [part for part in np.array_split(np.argsort(p, kind="stable"), n_bins) if len(part)]
    weight = classifier._sample_weights()  # as in class_prior, which the probabilities follow
    mean = [np.average(p[part], weights=weight[part]) for part in parts]
    share = np.array([np.average(hit[part], weights=weight[part]) for part in parts])
    size = [weight[part].sum() ** 2 / (weight[part] ** 2).sum() for part in parts]  # Kish's
    error = [np.sqrt(s * (1 - s) / n) for s, n in zip(share, size)]
    ax.plot([0, 1], [0, 1], color="0.5", linestyle="--")
    ax.errorbar(mean, share, yerr=error, marker="o", linestyle="none", capsize=3)
    ax.set(
        xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=f"leave-one-out probability of {classifier.classes_[k]}",
        ylabel="observed frequency",
    )
    return ax


def learning_curve(
    features: float,
    density: float,
    noise: float,
    ax: Optional[Axes] = None,
    *,
    samples: Optional[ArrayLike] = None,
    activation: str = "step",
) -> Axes:
    """Error on new samples against the number of samples, from theory.

    Parameters
    ----------
    features, density, noise, activation
        As for :func:`cavity.theory.plan`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    samples : array-like, optional
        Numbers of samples; from a hundredth of the features to three times as many unless given.

    Returns
    -------
    matplotlib Axes
    """
    ax = _axes(ax)
    numbers = np.geomspace(features / 100, 3 * features, 15) if samples is None else samples
    curve = theory.learning_curve(features, density, noise, numbers, activation=activation)
    ax.plot(curve["samples"], curve["error_sbc"], marker="o", label="classifier")
    ax.plot(curve["samples"], curve["error_gibbs"], marker="s", label="Gibbs learning")
    ax.set(xscale="log", xlabel="samples", ylabel="error on new samples")
    ax.legend()
    return ax
