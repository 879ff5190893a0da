"""Panels: the few features that do the work, and what each one fewer costs."""

from __future__ import annotations

import json
import numbers
import os
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._classes import checked_prior, class_name, refuse_missing_labels
from ._classifier import SparseBayesClassifier
from ._input import column_name, column_roles, core_names, group_names, read_features, refuse_turned, sample_names
from ._options import fit_options, refuse_arguments, threads
from ._probabilities import FromProbabilities
from ._summary import number, python_notes, python_warnings

Floats = NDArray[np.float64]
Names = Optional[Sequence[Union[str, int]]]


class Panel(SelectorMixin, ClassifierMixin, FromProbabilities, MetaEstimatorMixin, BaseEstimator):
    """The few features that say what a fit of all of them says: the same as ``cavity panel`` of the command line.

    What the fit of all features says of its own samples is projected onto few features, found one after the other. The
    price of every size comes from folds in which fit and search are done again without the fold.

    Parameters
    ----------
    estimator : SparseBayesClassifier, default=None
        How to fit; None: the default classifier. It is cloned.
    size : int, default=None
        Features of the panel that predicts and selects; None: the suggested size, or the largest where none is suggested.
    most : int, default=20
        Features of the largest panel.
    must, never : list of str or int, default=None
        Columns that come first in every panel, and that are in none.
    among : list of str or int, default=None
        Only these columns, and those of ``must``, are candidates.
    cost : dict, default=None
        What a column costs; those not named cost 1. What a step gains is divided by it.
    normalise : list of str or int, default=None
        Housekeeping columns: their mean is taken off every sample first, off the logarithms where panels take those. They
        are in no panel, but each needs them.
    folds : int, default=10
        Parts of the samples, each left out of fit and search.
    repeats : int, default=None
        Times that the folds are dealt; None: three up to 50 samples, else one.
    margin : float, default=0.02
        Nats a sample that a stand-in may lose.

    Attributes
    ----------
    panel_ : list of str
        The features of the panel, as they were chosen.
    path_ : list of str
        Those of the largest one: a panel of any size is its first so many.
    prices_ : dict of ndarray
        What every size costs, ready for ``pandas.DataFrame(panel.prices_)``: ``size``, ``adds``, ``cost``, ``error``,
        ``log_loss``, ``auc``, ``sensitivity``, ``specificity``, ``error_more`` and ``log_loss_more`` than the fits of all
        features in the same folds, with standard errors (``..._se``) and 95 % intervals (``..._interval``).
    whole_ : dict
        The same of the fits of all features.
    suggested_ : int or None
        The smallest size whose log loss is within one standard error of the whole's.
    size_ : int
        Of the panel that predicts.
    members_ : list of dict
        Its features: ``name``, ``weights``, ``share`` of the folds that chose it, ``stand_ins`` (``name``, ``loss``,
        ``share``), ``credible_set``.
    classifier_ : SparseBayesClassifier
        The panel as a classifier of its columns alone, for :func:`save` and :meth:`~SparseBayesClassifier.linear_score`.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_features_in_ : int
        Number of columns seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, for data frames with names that are all strings.
    summary_ : dict
        All of it, with the names of ``cavity panel --json``.
    notes_, warnings_ : list
        What was done to the data, and what to know before trusting the fit of all features.

    Examples
    --------
    >>> import cavity
    >>> X, y, teacher = cavity.simulate(80, 100, teacher=0.03, noise=0.02, seed=5)
    >>> panel = cavity.Panel(cavity.SparseBayesClassifier(density=0.1, noise=0.05), size=2, most=3, folds=3).fit(X, y)
    >>> panel.transform(X).shape, len(panel.panel_)
    ((80, 2), 2)
    """

    def __init__(
        self,
        estimator: Optional[SparseBayesClassifier] = None,
        size: Optional[int] = None,
        most: int = 20,
        must: Names = None,
        never: Names = None,
        among: Names = None,
        cost: Optional[Mapping[Union[str, int], float]] = None,
        normalise: Names = None,
        folds: int = 10,
        repeats: Optional[int] = None,
        margin: float = 0.02,
    ) -> None:
        self.estimator = estimator
        self.size = size
        self.most = most
        self.must = must
        self.never = never
        self.among = among
        self.cost = cost
        self.normalise = normalise
        self.folds = folds
        self.repeats = repeats
        self.margin = margin

    @property
    def covariates(self) -> Names:
        """Those of the estimator."""
        return None if self.estimator is None else self.estimator.covariates

    def fit(self, X: Any, y: Any = None, groups: Any = None, **refused: Any) -> Panel:
        """Fit, search, and price every size.

        Parameters
        ----------
        X, y, groups
            As for ``SparseBayesClassifier.fit``. Samples of a group are in one fold.
        **refused
            Nothing else: ``sample_weight`` is a TypeError.

        Returns
        -------
        self : Panel
        """
        refuse_arguments(self, refused)
        estimator = SparseBayesClassifier() if self.estimator is None else clone(self.estimator)
        options = fit_options(estimator)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        label_name = getattr(y, "name", None)
        features = read_features(self, X, reset=True)
        y = column_or_1d(y, warn=True)
        refuse_missing_labels(y)
        refuse_turned(features, y)
        check_consistent_length(range(features.samples), y)
        check_classification_targets(y)
        classes, index = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"at least two classes are required, the {len(index)} samples contain only one class: {classes[0]!r}"
            )
        prior = checked_prior(estimator.class_prior, len(classes))
        if prior is not None:
            options.class_prior = [float(share) for share in prior]
        samples = _core.Samples(
            core_names(self),
            sample_names(X),
            [class_name(label) for label in classes],
            label_name if isinstance(label_name, str) else "label",
            features.covariates,
            group_names(groups, features.samples),
        )
        show = (lambda done, all_: print(f"[cavity] fold {done}/{all_}", flush=True)) if estimator.verbose else None
        self._panels = _core.panel(features.matrix, index.astype(np.uint32), samples, options, self._asked(), show)
        self.classes_ = classes
        self._adopt(json.loads(self._panels.json), estimator)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, in the order of ``classes_``; only the panel's columns of ``X`` count.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            With the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        features = read_features(self, X, reset=False)
        names = [column_name(self, at) for at in column_roles(self)[1]]
        return _core.predict(self.classifier_._model, features.matrix, features.covariates, threads(self.classifier_), names)

    def at(self, size: int) -> SparseBayesClassifier:
        """The panel of another size as a classifier of its columns alone.

        Parameters
        ----------
        size : int
            From 1 to ``len(path_)``.

        Returns
        -------
        SparseBayesClassifier
            Fitted. Columns come in the order of ``path_``, then those of ``normalise`` and the covariates.
        """
        check_is_fitted(self)
        if not 1 <= size <= len(self.path_):
            raise ValueError(f"size={size!r}: there are panels of 1 to {len(self.path_)} features")
        classifier = SparseBayesClassifier() if self.estimator is None else clone(self.estimator)
        return classifier._adopt(self._panels.model(size), self.classes_)

    def report(self, path: Union[str, os.PathLike[str]], *, name: str = "data") -> None:
        """Write the panels as one web page: the same as ``cavity panel --report`` of the command line.

        Parameters
        ----------
        path : str or path-like
            The file; it is replaced only once the new one is complete.
        name : str, default="data"
            What the page is headed with, such as the name of the data set.
        """
        check_is_fitted(self)
        self._panels.write_report(os.fspath(path), name, " ".join(f"{self!r}.fit(X, y)".split()))

    def _asked(self) -> _core.PanelOptions:
        asked = _core.PanelOptions()
        for name in ("most", "folds"):
            setattr(asked, name, _whole(name, getattr(self, name)))
        for name in ("size", "repeats"):
            value = getattr(self, name)
            setattr(asked, name, 0 if value is None else _whole(name, value))
        if not isinstance(self.margin, numbers.Real) or not self.margin >= 0:
            raise ValueError(f"margin={self.margin!r} must be a number, 0 or more")
        asked.margin = float(self.margin)
        for name in ("must", "never", "among", "normalise"):
            setattr(asked, name, self._column_names(name, getattr(self, name)))
        cost = dict(self.cost or {})
        asked.cost = list(zip(self._column_names("cost", list(cost)), map(float, cost.values())))
        return asked

    def _column_names(self, parameter: str, wanted: Names) -> List[str]:
        """Names as they are (the core knows which are there), positions as the columns' names."""
        out = []
        for which in [] if wanted is None else wanted:
            if not isinstance(which, numbers.Integral):
                out.append(str(which))
            elif 0 <= which < self.n_features_in_:
                out.append(column_name(self, int(which)))
            else:
                raise ValueError(f"{parameter}: column {which} is outside the {self.n_features_in_} columns of X")
        return out

    def _adopt(self, summary: Dict[str, Any], estimator: SparseBayesClassifier) -> None:
        self.path_ = summary["path"]
        self.suggested_, self.size_ = summary["suggested"], summary["size"]
        self.panel_ = self.path_[: self.size_]
        sizes = summary["sizes"]
        self.prices_ = {name: np.array([_price(row[name]) for row in sizes]) for name in sizes[0]}
        self.whole_ = {name: _price(value) for name, value in summary["whole"].items()}
        self.members_ = summary["members"]
        self.notes_, self.warnings_ = python_notes(summary), python_warnings(summary)
        self.summary_ = {**summary, "notes": self.notes_, "warnings": self.warnings_}
        self.classifier_ = self.at(self.size_)
        if any(warning["name"] == "not-converged" for warning in self.warnings_):
            warnings.warn("no grid cell of the fit of all features converged", ConvergenceWarning, stacklevel=3)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        """The columns that the panel needs: its own, those of ``normalise``, and the covariates."""
        check_is_fitted(self)
        needed = {*self.classifier_._model.feature_names, *(c.name for c in self.classifier_._model.covariates)}
        return np.array([column_name(self, at) in needed for at in range(self.n_features_in_)])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_panels")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def _price(value: Any) -> Any:
    if isinstance(value, list):
        return [number(end) for end in value]
    return value if isinstance(value, str) else number(value)


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} must be a positive whole number")
    return int(value)
