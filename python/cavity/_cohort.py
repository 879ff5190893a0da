"""A fitted classifier on samples of another cohort: features that are absent there, a validation, an adaptation."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._classes import called, checked_prior, class_name
from ._classifier import SparseBayesClassifier
from ._input import column_name, column_roles, group_names, read_features, sample_names
from ._options import threads

Floats = NDArray[np.float64]


class Told(NamedTuple):
    """What :func:`predict` says of new samples."""

    label: NDArray[Any]  #: the likeliest class of each
    probability: Floats  #: of shape (n_samples, n_classes)
    explained: Floats  #: a sample: the share of what decides that its measured features explain
    measured: Dict[str, Any]  #: ``features``, ``absent``, ``explained``, ``missing``, ... as ``cavity predict --json``
    set: Optional[NDArray[np.bool_]]  #: of shape (n_samples, n_classes): whether the class is in the sample's set
    conformity: Optional[Floats]  #: of shape (n_samples, n_classes): a class is in the set above 1 - confidence


def predict(
    classifier: SparseBayesClassifier,
    X: Any,
    *,
    confidence: Optional[float] = None,
    match: bool = False,
    least_explained: float = 0.25,
    fill_means: bool = False,
) -> Told:
    """Probabilities of samples that need not have all features: ``cavity predict`` of the command line.

    Features that are absent, and missing values, are told by the others as the training samples have them, and the
    probabilities are as much less sure. ``classifier.predict_proba`` does the same for missing values, and asks for all
    columns, as scikit-learn does.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted, on named columns where some are absent.
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        Columns of a data frame are matched by name; others are ignored.
    confidence : float, default=None
        Beside the label a set of labels that holds the true one at this rate, such as 0.9: none, one or several. From
        what the fit said of its own samples left out; ValueError that says why where that promise could not be kept.
    match : bool, default=False
        Names that differ only by case, a version (ENSG00000141510.17) or a prefix are the same.
    least_explained : float, default=0.25
        ValueError where the columns that are there explain less than this share of what decides.
    fill_means : bool, default=False
        A missing value takes its feature's training mean instead of what the sample's others tell.

    Examples
    --------
    >>> import cavity, pandas as pd
    >>> X, y, _ = cavity.simulate(120, 60, teacher=0.1, noise=0.02, seed=3)
    >>> X = pd.DataFrame(X).add_prefix("g")
    >>> clf = cavity.SparseBayesClassifier(density=0.1, noise=0.05).fit(X[:80], y[:80])
    >>> told = cavity.predict(clf, X[80:].drop(columns=["g3", "g7"]), least_explained=0)
    >>> told.measured["absent"]
    ['g3', 'g7']
    >>> cavity.predict(clf, X[80:], confidence=0.9).set.shape
    (40, 2)
    """
    cohort = _cohort(classifier, X, match, least_explained, fill_means)
    proba, conformity, explained, measured = _core.told(classifier._model, cohort, confidence)
    held = None if conformity is None else conformity > 1 - confidence
    return Told(classifier.classes_[called(proba)], proba, explained, json.loads(measured), held, conformity)


def validate(
    classifier: SparseBayesClassifier,
    X: Any,
    y: ArrayLike,
    *,
    groups: Optional[ArrayLike] = None,
    thresholds: Sequence[float] = (0.5,),
    match: bool = False,
    least_explained: float = 0.25,
) -> Dict[str, Any]:
    """A classifier on labelled samples that it has not seen: what it promised, what came, and what has moved.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted.
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        As of :func:`predict`.
    y : array-like of shape (n_samples,)
        Classes. Samples whose class the classifier does not know, such as None, are left out and counted.
    groups : array-like of shape (n_samples,), default=None
        Subgroups, such as the site: figures of each.
    thresholds : sequence of float, default=(0.5,)
        A sample is called positive from these probabilities on: sensitivity, specificity, predictive values, net benefit.
    match, least_explained
        As of :func:`predict`.

    Returns
    -------
    dict
        The names of ``cavity validate --json`` (docs/cavity.schema.json): ``promised`` and ``came`` with ``error``,
        ``log_loss`` and ``brier``; ``questions`` with sensitivity, AUC, calibration and decision curves; ``by``;
        ``drift``; ``measured``.

    Examples
    --------
    >>> import cavity
    >>> X, y, _ = cavity.simulate(200, 60, teacher=0.1, noise=0.02, seed=3)
    >>> clf = cavity.SparseBayesClassifier(density=0.1, noise=0.05).fit(X[:80], y[:80])
    >>> found = cavity.validate(clf, X[80:], y[80:])
    >>> found["came"]["samples"], sorted(found["promised"])
    (120, ['brier', 'class_counts', 'error', 'error_interval', 'log_loss'])
    """
    cohort = _cohort(classifier, X, match, least_explained, False)
    cohort.set_labels(*_labels(classifier, X, y, groups))
    return json.loads(_core.validated(classifier._model, cohort, [float(t) for t in thresholds]))


def adapt(
    classifier: SparseBayesClassifier,
    X: Any = None,
    y: Optional[ArrayLike] = None,
    *,
    class_prior: Optional[ArrayLike] = None,
    slope: bool = False,
    match: bool = False,
    least_explained: float = 0.25,
) -> SparseBayesClassifier:
    """The classifier for another site: features and weights stay, how often each class comes there does not.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted; it stays as it is.
    X, y
        Few labelled samples of the site, as of :func:`validate`. The prior is that nothing has changed.
    class_prior : array-like of shape (n_classes,), default=None
        Instead of samples: the share of every class at the site, in the order of ``classes_``.
    slope : bool, default=False
        How sure the probabilities are is adapted, too.
    match, least_explained
        As of :func:`predict`.

    Returns
    -------
    SparseBayesClassifier
        Fitted. ``adaptation_`` has the names of ``cavity adapt --json``: ``intercept`` and ``slope``, ``unchanged`` (the
        probability that nothing has changed), ``log_loss_before`` and ``log_loss_left_out``.

    Examples
    --------
    >>> import cavity
    >>> X, y, _ = cavity.simulate(120, 60, teacher=0.1, noise=0.02, seed=3)
    >>> clf = cavity.SparseBayesClassifier(density=0.1, noise=0.05).fit(X[:80], y[:80])
    >>> there = cavity.adapt(clf, X[80:], y[80:])
    >>> there.adaptation_["samples"]
    40
    >>> rare = cavity.adapt(clf, class_prior=[0.9, 0.1])
    >>> bool((rare.predict_proba(X)[:, 1] < clf.predict_proba(X)[:, 1]).all())
    True
    """
    check_is_fitted(classifier)
    if (X is None) == (class_prior is None):
        raise ValueError("adapt takes labelled samples of the site, X and y, or class_prior, one of them")
    if X is None:
        _refuse_another_prior(classifier)
        shares = checked_prior(class_prior, len(classifier.classes_))
        model, how = _core.adapted_to_class_prior(classifier._model, [float(share) for share in shares])
    else:
        cohort = _cohort(classifier, X, match, least_explained, False)
        cohort.set_labels(*_labels(classifier, X, y, None))
        model, how = _core.adapted(classifier._model, cohort, slope)
    return _with_model(classifier, model, json.loads(how))


def _with_model(classifier: SparseBayesClassifier, model: _core.Model, how: Dict[str, Any]) -> SparseBayesClassifier:
    out = clone(classifier)
    out.n_features_in_ = classifier.n_features_in_
    if hasattr(classifier, "feature_names_in_"):
        out.feature_names_in_ = classifier.feature_names_in_
    out._adopt(model, classifier.classes_, classifier._truth)
    if model.class_shift:
        shares = np.array(model.class_shift) * out.class_count_
        out.class_prior = tuple(float(share) for share in shares / shares.sum())
    out.adaptation_ = how
    return out


def _refuse_another_prior(classifier: SparseBayesClassifier) -> None:
    if classifier._missing_ratio() is not None:
        raise ValueError("class_prior was changed after the fit: fit again with it, or adapt the classifier to it")


def _cohort(classifier: Any, X: Any, match: bool, least_explained: float, fill_means: bool) -> _core.Cohort:
    check_is_fitted(classifier)
    _refuse_another_prior(classifier)
    if not 0 <= least_explained <= 1:
        raise ValueError(f"least_explained lies between 0 and 1, not {least_explained}")
    if hasattr(X, "columns") and hasattr(classifier, "feature_names_in_"):
        made = _by_name(classifier, X)
    else:
        read = read_features(classifier, X, reset=False)
        names = [column_name(classifier, at) for at in column_roles(classifier)[1]]
        made = _core.cohort(read.matrix, names, sample_names(X), read.covariates)
    made.match, made.least_explained, made.fill_means, made.threads = match, least_explained, fill_means, threads(classifier)
    return made


def _by_name(classifier: Any, X: Any) -> _core.Cohort:
    """All columns of numbers: which of them the model looks at is the core's to find out."""
    always = [str(name) for name in (column_name(classifier, at) for at in column_roles(classifier)[0])]
    absent = [name for name in always if name not in X.columns]
    if absent:
        raise ValueError(f"X has no column {absent[0]!r}, a covariate of the classifier: covariates have to be there")
    covariates = [(name, ["" if v is None or v != v else str(v) for v in list(X[name])]) for name in always]
    rest: List[Any] = [name for name in X.columns if str(name) not in always and _numeric(X[name])]
    if not rest:
        raise ValueError("X has no column of numbers that is no covariate")
    matrix = check_array(X[rest], dtype=[np.float32, np.float64], ensure_all_finite="allow-nan")
    return _core.cohort(matrix, [str(name) for name in rest], sample_names(X), covariates)


def _numeric(column: Any) -> bool:
    return getattr(column.dtype, "kind", "f" if hasattr(column.dtype, "is_numeric") and column.dtype.is_numeric() else "O") in "biuf"


def _labels(classifier: Any, X: Any, y: Any, groups: Any) -> tuple[NDArray[np.uint32], List[str]]:
    if y is None:
        raise ValueError("y is missing: the class of each sample")
    labels = np.asarray(y, dtype=object) if np.ndim(y) == 1 else column_or_1d(y, warn=True)
    check_consistent_length(X, labels)
    places = {class_name(label): at for at, label in enumerate(classifier.classes_)}
    index = np.array([places.get(class_name(label), len(places)) for label in labels], dtype=np.uint32)
    return index, group_names(groups, len(index))
