"""Feature selection by inclusion probability."""

from __future__ import annotations

import numbers
import warnings
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._classifier import SparseBayesClassifier


class PruningSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """Keep the features that matter, by posterior inclusion probability.

    Parameters
    ----------
    estimator : SparseBayesClassifier, default=None
        The classifier whose inclusion probabilities decide, with its options; None: the default one. It is cloned.
    threshold : float, default=0.5
        Keep features whose inclusion probability is at least this. Not used when ``fdr`` is given.
    fdr : float, default=None
        Keep the most included features, as many as possible while the expected fraction of false ones among them
        (the Bayesian false-discovery rate, the mean of 1 - inclusion) is at most this; none where the features are not
        shown to tell the classes apart (``permutation_p_`` of the classifier).
    min_features : int, default=1
        Keep at least so many, the most included ones, so that the steps after this one have something to work on.

    Attributes
    ----------
    estimator_ : SparseBayesClassifier
        The fitted classifier.
    inclusion_probability_ : ndarray of shape (n_features_in_,)
        The largest over the classes, when there are more than two.
    n_features_in_ : int
        Number of columns seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, for data frames with names that are all strings.

    Examples
    --------
    >>> import cavity
    >>> X, y, teacher = cavity.simulate(100, 1000, teacher=0.005, seed=2)
    >>> selector = cavity.PruningSelector(fdr=0.1).fit(X, y)
    >>> chosen = selector.get_support(indices=True)
    >>> bool((teacher[chosen] != 0).mean() > 0.5)
    True
    >>> selector.transform(X).shape == (100, len(chosen))
    True
    """

    def __init__(
        self,
        estimator: Optional[SparseBayesClassifier] = None,
        threshold: float = 0.5,
        fdr: Optional[float] = None,
        min_features: int = 1,
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.fdr = fdr
        self.min_features = min_features

    def fit(self, X: Any, y: Any = None) -> PruningSelector:
        """Fit the classifier and note the inclusion probabilities.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            Training data; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self : PruningSelector
        """
        for name in ("threshold", "fdr"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, numbers.Real) and 0 <= value <= 1):
                raise ValueError(f"{name}={value!r} must be a number from 0 to 1")
        if not isinstance(self.min_features, numbers.Integral) or self.min_features < 0:
            raise ValueError(f"min_features={self.min_features!r} must be a whole number, 0 or more")
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        self.estimator_ = SparseBayesClassifier() if self.estimator is None else clone(self.estimator)
        self.estimator_.fit(X, y)
        self.n_features_in_ = self.estimator_.n_features_in_
        if hasattr(self.estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.estimator_.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.inclusion_probability_ = self.estimator_.inclusion_probability_
        self._warn_of_false_ones()
        return self

    def _warn_of_false_ones(self) -> None:
        ranked = -np.sort(-self.inclusion_probability_)
        if self.fdr is None or self.min_features == 0 or self._allowed(ranked) >= self.min_features:
            return
        if self.estimator_.shown_ is False:
            warnings.warn(
                f"the features are not shown to tell the classes apart (p = {self.estimator_.permutation_p_:.2g}): no list by a "
                f"false rate is given, and min_features={self.min_features} are kept all the same; min_features=0 keeps none",
                stacklevel=3,
            )
            return
        false = float((1 - ranked[: self.min_features]).mean())
        warnings.warn(
            f"fdr={self.fdr:g} allows fewer features than min_features={self.min_features}, which are kept all the same: "
            f"{false:.0%} of them are expected to be false; min_features=0 keeps only what fdr allows",
            stacklevel=3,
        )

    def _allowed(self, ranked: NDArray[np.float64]) -> int:
        """How many of the most included ``fdr`` allows: none where labels dealt by chance do as well."""
        return 0 if self.estimator_.shown_ is False else int(_core.discoveries(ranked, float(self.fdr or 0)))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        inclusion = self.inclusion_probability_
        ranked = np.argsort(-inclusion, kind="stable")
        if self.fdr is None:
            count = int((inclusion >= self.threshold).sum())
        else:
            count = self._allowed(inclusion[ranked])
        mask = np.zeros(len(inclusion), dtype=bool)
        mask[ranked[: max(count, self.min_features)]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags
