"""Teacher-student data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core


class Simulation(NamedTuple):
    """Data of a known teacher.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float32
        Rows uniform on the sphere of squared radius ``n_features``.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1.
    teacher : ndarray of shape (n_features,)
        The weights behind the labels; 0 for the features that do not matter.
    """

    X: NDArray[np.float32]
    y: NDArray[np.int8]
    teacher: NDArray[np.float64]


def simulate(
    n_samples: int, n_features: int, *, teacher: float = 0.1, noise: float = 0.0, seed: int = 1
) -> Simulation:
    """Draw data that a sparse Gaussian teacher labels; the same numbers as ``cavity simulate``.

    Parameters
    ----------
    n_samples, n_features : int
        Sizes. The teacher depends on ``seed`` and ``n_features`` only: more samples come from the same teacher.
    teacher : float, default=0.1
        Density of the teacher, in (0, 1]: the fraction of features that matter.
    noise : float, default=0.0
        Probability of a flipped label, in [0, 1/2).
    seed : int, default=1
        Seed of everything random.

    Returns
    -------
    Simulation
        A named tuple ``(X, y, teacher)``.

    Examples
    --------
    >>> import cavity
    >>> X, y, teacher = cavity.simulate(40, 300, teacher=0.02)
    >>> X.shape, X.dtype.name, sorted(set(y.tolist())), int((teacher != 0).sum())
    ((40, 300), 'float32', [-1, 1], 6)
    """
    return Simulation(*_core.simulate(n_samples, n_features, teacher, noise, seed))
