"""The classes of a fit: their names, labels that are missing, how common they are where the classifier is used."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def normalised(proba: Floats) -> Floats:
    total = proba.sum(axis=1, keepdims=True)
    return np.where(total > 0, proba / np.where(total > 0, total, 1), 1 / proba.shape[1])


def called(proba: Floats) -> NDArray[np.intp]:
    """The likeliest class of each sample, of equal ones the last, as everywhere."""
    return proba.shape[1] - 1 - proba[:, ::-1].argmax(axis=1)


def class_name(label: Any) -> str:
    """As the command line shows it: a whole number without a decimal point."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def refuse_missing_labels(y: NDArray[Any]) -> None:
    missing = [at for at, label in enumerate(y) if label is None or label != label]
    if missing:
        raise ValueError(
            f"Input y contains NaN or None: {len(missing)} of {len(y)} labels are missing, the first in row {missing[0]}; "
            "leave these samples out of X and y"
        )


def checked_prior(class_prior: Any, n: int) -> Optional[Floats]:
    if class_prior is None:
        return None
    wanted = f"None, 'uniform' or {n} positive numbers with sum 1, one a class in the order of classes_"
    if isinstance(class_prior, str):
        if class_prior != "uniform":
            raise ValueError(f"class_prior={class_prior!r} is unknown: use {wanted}")
        return np.full(n, 1 / n)
    try:
        prior = np.asarray(class_prior, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"class_prior={class_prior!r} is no list of numbers: use {wanted}") from None
    if prior.shape != (n,) or not (prior > 0).all() or abs(prior.sum() - 1) > 1e-6:
        raise ValueError(f"class_prior must be {n} positive numbers with sum 1, one a class, got {class_prior!r}")
    return prior


def prior_ratio(class_prior: Any, counts: NDArray[np.intp]) -> Optional[Floats]:
    prior = checked_prior(class_prior, len(counts))
    return None if prior is None else prior * counts.sum() / counts
