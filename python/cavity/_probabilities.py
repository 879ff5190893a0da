"""What follows from the probabilities of classes, for whatever has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ._classes import called

Floats = NDArray[np.float64]


class FromProbabilities:
    """Labels and scores of an estimator that has ``predict_proba`` and ``classes_``."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> Floats:
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithm of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X: Any) -> Floats:
        """Probit scores of the classes' probabilities.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of ``classes_[1]`` for two classes: positive where it is the more probable one.
        """
        proba = self.predict_proba(X)
        scores = ndtri(np.clip(proba, 1e-300, 1 - 2**-53))
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each sample, of equal ones the last, as on the command line.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        proba = self.predict_proba(X)  # says first if nothing was fitted
        return self.classes_[called(proba)]
