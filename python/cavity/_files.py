"""Model files, the same as those of the command line."""

from __future__ import annotations

import os
from typing import Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._classifier import SparseBayesClassifier
from ._core import Model

Path = Union[str, "os.PathLike[str]"]


def save(classifier: SparseBayesClassifier, path: Path) -> None:
    """Write a fitted classifier to a model file that ``cavity predict`` and :func:`load` read.

    Parameters
    ----------
    classifier : SparseBayesClassifier
        Fitted. A ``class_prior`` goes into the file.
    path : str or path-like
        The file; it is replaced only once the new one is complete.

    Examples
    --------
    >>> import cavity, tempfile, os
    >>> X, y, _ = cavity.simulate(40, 100)
    >>> clf = cavity.SparseBayesClassifier(density=0.1, noise=0.05).fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "toy.cavity")
    >>> cavity.save(clf, path)
    >>> bool((cavity.load(path).predict_proba(X) == clf.predict_proba(X)).all())
    True
    """
    check_is_fitted(classifier)
    if classifier._missing_ratio() is not None:
        raise ValueError("class_prior was changed after the fit, and a model file holds that of the fit: fit again with it")
    classifier._model.save(os.fspath(path))


def load(path: Path) -> SparseBayesClassifier:
    """Read a model file written by :func:`save` or by ``cavity fit -o``.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    SparseBayesClassifier
        Fitted. Class names that are all numbers become numbers. Features come in the order of the training data,
        followed by the covariates, if there are any.
    """
    model = Model.load(os.fspath(path))
    encodings = list(dict.fromkeys(c.name for c in model.covariates))
    classifier = SparseBayesClassifier(covariates=encodings or None, activation=model.activation)
    classifier._adopt(model, _classes(model.class_names))
    if model.class_shift:
        shares = np.array(model.class_shift) * classifier.class_count_
        classifier.class_prior = tuple(float(share) for share in shares / shares.sum())
    return classifier


def _classes(names: list[str]) -> np.ndarray:
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            continue
    return np.array(list(names))
