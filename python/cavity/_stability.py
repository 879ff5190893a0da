"""Would other samples have given the same features?"""

from __future__ import annotations

import json
import warnings
from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _core
from ._classes import class_name, refuse_missing_labels
from ._classifier import SparseBayesClassifier
from ._input import column_name, column_roles, core_names, group_names, read_features
from ._options import fit_options

Floats = NDArray[np.float64]


class Stability(NamedTuple):
    """What halves of the samples say of every feature that is no covariate.

    Attributes
    ----------
    names : list of str
        Of the features; the arrays have their order.
    inclusion : ndarray
        On all samples.
    mean, sd : ndarray
        Of the inclusion, over halves.
    share : ndarray
        Of the halves that select the feature.
    stable : list of str
        Features selected in at least ``threshold`` of the halves, the most often selected first.
    most_expected_false : float
        At most so many of these are expected to be false: features that a half selects no more often than one drawn at
        random. Nothing else is assumed.
    mean_selected : float
        Features that a half selects.
    correlated : list of dict
        Correlated features: ``features, inclusion, mean, sd, share``; selected where one of them is.
    halves, failed : int
        Halves that count, and those in which no cell converged.
    threshold : float
        As asked for.
    """

    names: List[str]
    inclusion: Floats
    mean: Floats
    sd: Floats
    share: Floats
    stable: List[str]
    most_expected_false: float
    mean_selected: float
    correlated: List[Dict[str, Any]]
    halves: int
    failed: int
    threshold: float

    @property
    def groups(self) -> List[Dict[str, Any]]:
        """The name of ``correlated`` in the version before: groups are samples."""
        warnings.warn("groups goes with version 2: use correlated", DeprecationWarning, stacklevel=2)
        return self.correlated


def stability(
    estimator: SparseBayesClassifier,
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    pairs: int = 50,
    selected: int = 10,
    fdr: Optional[float] = None,
    threshold: float = 0.6,
    analytic: bool = False,
) -> Stability:
    """Fit complementary halves of the samples: the same as ``cavity stability`` of the command line.

    Parameters
    ----------
    estimator : SparseBayesClassifier
        Its parameters say how to fit; it need not be fitted, and stays as it is.
    X, y, groups
        As for ``SparseBayesClassifier.fit``; two classes. Samples of a group are in the same half.
    pairs : int, default=50
        Pairs of halves that have no sample in common.
    selected : int, default=10
        A half selects so many features, those most included.
    fdr : float, default=None
        Instead: the longest list whose expected share of false features is at most this.
    threshold : float, default=0.6
        Share of halves, above 1/2, that makes a feature stable.
    analytic : bool, default=False
        ``solver="gamp"``: the average over all halves without drawing one, for many features that are nearly
        independent; ``halves`` is 0 then. ValueError where it does not settle.

    Returns
    -------
    Stability

    Examples
    --------
    >>> import cavity
    >>> X, y, teacher = cavity.simulate(100, 200, teacher=0.015, noise=0.02, seed=8)
    >>> clf = cavity.SparseBayesClassifier(density=0.03, noise=0.05)
    >>> result = cavity.stability(clf, X, y, pairs=5, selected=3)
    >>> bool(teacher[result.share.argmax()] != 0), result.halves
    (True, 10)
    """
    estimator = clone(estimator)
    options = fit_options(estimator)
    features = read_features(estimator, X, reset=True)
    y = column_or_1d(y, warn=True)
    refuse_missing_labels(y)
    check_consistent_length(range(features.samples), y)
    check_classification_targets(y)
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"two classes are needed, y has {len(classes)}: ask for one against the rest, y == {classes[0]!r}")
    samples = _core.Samples(
        core_names(estimator),
        [],
        [class_name(classes[0]), class_name(classes[1])],
        "label",
        features.covariates,
        group_names(groups, features.samples),
    )
    rule = _core.StabilityRule(pairs, selected, fdr, threshold, analytic)
    show = (lambda done, all_: print(f"half {done}/{all_}")) if estimator.verbose else None
    labels = index.astype(np.uint32)
    inclusion, mean, sd, share, stable, summary = _core.stability(features.matrix, labels, samples, options, rule, show)
    names = [column_name(estimator, at) for at in column_roles(estimator)[1]]
    told = json.loads(summary)
    rest = {name: told[name] for name in ("most_expected_false", "mean_selected", "correlated", "halves", "failed", "threshold")}
    return Stability(names, inclusion, mean, sd, share, [names[at] for at in stable], **rest)
