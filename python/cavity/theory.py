"""What the classifier does on random data of any size, before there is data.

A teacher labels samples with independent features, a student with a pruning prior learns from them, and in the limit
of many features everything is known. Deterministic; nothing is simulated.
"""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["LearningPlan", "ReplicaPoint", "learning_curve", "path", "plan", "point", "sweep"]

Columns = Dict[str, NDArray[np.float64]]


class ReplicaPoint(NamedTuple):
    """The replica-symmetric fixed point at one setting.

    Attributes
    ----------
    error_sbc, error_gibbs : float
        Error on new samples of the posterior mean, and of one draw from the posterior.
    overlap, power : float
        R = w_o.m/N and Q = m.m/N; ``overlap_hat`` and ``power_hat`` are their conjugates.
    precision, log_odds : float
        Of the slab, and of inclusion.
    free_energy : float
        (1/N) [ln Z].
    stability : float
        The fixed point is stable below 1.
    steps : int
        State-evolution steps taken.
    converged : bool
        False: the numbers are not to be used.
    """

    error_sbc: float
    error_gibbs: float
    overlap: float
    power: float
    overlap_hat: float
    power_hat: float
    precision: float
    log_odds: float
    free_energy: float
    stability: float
    steps: int
    converged: bool


class LearningPlan(NamedTuple):
    """How many samples, for what error.

    Attributes
    ----------
    reachable : bool
        False when no number of samples brings the error down to the target; ``samples`` and the errors are then NaN.
    samples, ratio : float
        The answer, and samples / features.
    error_sbc, error_gibbs : float
        Error on new samples with so many.
    best_error : float
        What infinitely many samples would leave.
    """

    reachable: bool
    samples: float
    ratio: float
    error_sbc: float
    error_gibbs: float
    best_error: float


def _point(
    ratio: float,
    noise: float,
    teacher: float,
    density: Optional[float],
    activation: str,
    teacher_activation: Optional[str],
    teacher_noise: Optional[float],
) -> _core.TheoryPoint:
    if teacher_activation not in (None, activation) and teacher_noise is None:
        raise ValueError("teacher_noise is missing: noise means something else for the teacher's activation")
    student = _core.Perceptron(teacher if density is None else density, activation, noise)
    truth = _core.Perceptron(teacher, teacher_activation or activation, noise if teacher_noise is None else teacher_noise)
    return _core.TheoryPoint(ratio, truth, student)


def _columns(records: Sequence[object], names: Sequence[str]) -> Columns:
    return {name: np.array([getattr(record, name) for record in records]) for name in names}


def point(
    ratio: float,
    noise: float,
    teacher: float,
    density: Optional[float] = None,
    *,
    activation: str = "step",
    teacher_activation: Optional[str] = None,
    teacher_noise: Optional[float] = None,
    informed: bool = False,
) -> ReplicaPoint:
    """Solve for the fixed point at one setting.

    Parameters
    ----------
    ratio : float
        Samples / features.
    noise : float
        Step activation: the probability of a flipped label; probit and logistic: the width.
    teacher : float
        The teacher's density, in (0, 1]: the fraction of features that truly matter.
    density : float, optional
        The student's density; the teacher's unless given.
    activation : {"step", "probit", "logistic"}, default="step"
        The student's activation.
    teacher_activation, teacher_noise : optional
        The student's unless given.
    informed : bool, default=False
        Start from full knowledge of the teacher instead of from nothing.

    Returns
    -------
    ReplicaPoint

    Examples
    --------
    >>> from cavity import theory
    >>> round(theory.point(ratio=1, noise=0.05, teacher=0.1).error_sbc, 4)
    0.1757
    """
    at = _point(ratio, noise, teacher, density, activation, teacher_activation, teacher_noise)
    solved = _core.replica_fixed_point(at, informed)
    return ReplicaPoint(*(getattr(solved, name) for name in ReplicaPoint._fields))


def path(
    ratio: float,
    noise: float,
    teacher: float,
    density: Optional[float] = None,
    *,
    steps: int = 20,
    activation: str = "step",
    teacher_activation: Optional[str] = None,
    teacher_noise: Optional[float] = None,
) -> Columns:
    """State evolution: what message passing has learnt after each update.

    Parameters
    ----------
    ratio, noise, teacher, density, activation, teacher_activation, teacher_noise
        As for :func:`point`.
    steps : int, default=20
        Number of updates.

    Returns
    -------
    dict of ndarray
        Columns ``t``, ``overlap``, ``power``, ``error_sbc``, ``error_gibbs`` with ``steps + 1`` rows.

    Examples
    --------
    >>> from cavity import theory
    >>> curve = theory.path(ratio=1, noise=0.05, teacher=0.2, density=0.3, steps=5)
    >>> len(curve["t"]), float(curve["error_sbc"][0])
    (6, 0.5)
    """
    at = _point(ratio, noise, teacher, density, activation, teacher_activation, teacher_noise)
    return _columns(_core.state_evolution(at, steps), ["t", "overlap", "power", "error_sbc", "error_gibbs"])


def sweep(
    vary: str,
    values: ArrayLike,
    *,
    ratio: Optional[float] = None,
    noise: Optional[float] = None,
    teacher: Optional[float] = None,
    density: Optional[float] = None,
    activation: str = "step",
    teacher_activation: Optional[str] = None,
    teacher_noise: Optional[float] = None,
) -> Columns:
    """Solve for the fixed point along one variable.

    Parameters
    ----------
    vary : {"ratio", "density", "noise", "teacher"}
        What varies; it must not be given as well.
    values : array-like
        Its values.
    ratio, noise, teacher, density, activation, teacher_activation, teacher_noise
        As for :func:`point`.

    Returns
    -------
    dict of ndarray
        A column for ``vary`` and one for every field of :class:`ReplicaPoint`.

    Examples
    --------
    >>> from cavity import theory
    >>> table = theory.sweep("ratio", [0.5, 1, 2], noise=0.05, teacher=0.1)
    >>> bool((table["error_sbc"][1:] < table["error_sbc"][:-1]).all())
    True
    """
    settings = {"ratio": ratio, "noise": noise, "teacher": teacher, "density": density}
    if vary not in settings:
        raise ValueError(f"cannot vary {vary!r}: use one of {', '.join(settings)}")
    if settings[vary] is not None:
        raise ValueError(f"{vary} is given and varied at once: leave {vary}= out")
    missing = [name for name in ("ratio", "noise", "teacher") if name != vary and settings[name] is None]
    if missing:
        raise ValueError(f"give a value for {', '.join(missing)}")
    numbers = np.asarray(values, dtype=float).ravel()
    points = [
        _point(**{**settings, vary: float(v)}, activation=activation, teacher_activation=teacher_activation,
               teacher_noise=teacher_noise)
        for v in numbers
    ]
    return {vary: numbers, **_columns(_core.sweep(points), ReplicaPoint._fields)}


def plan(
    features: float,
    density: float,
    noise: float,
    *,
    target_error: Optional[float] = None,
    samples: Optional[float] = None,
    activation: str = "step",
) -> LearningPlan:
    """Plan a study: how many samples bring the error down to a target, or what error so many samples give.

    Features are taken to be independent and the student to know the truth's density and noise, so correlated data may
    do better or worse: a guide to the order of magnitude.

    Parameters
    ----------
    features : float
        Number of features.
    density : float
        Fraction of them that matters.
    noise : float
        As for :func:`point`.
    target_error, samples : float
        One of the two.
    activation : {"step", "probit", "logistic"}, default="step"

    Returns
    -------
    LearningPlan

    Examples
    --------
    >>> from cavity import theory
    >>> theory.plan(20000, 0.01, 0.05, target_error=0.15).reachable
    True
    >>> theory.plan(20000, 0.01, 0.05, target_error=0.01).reachable
    False
    """
    if (target_error is None) == (samples is None):
        raise ValueError("give one of target_error (how many samples?) and samples (what error?)")
    truth = _core.Perceptron(density, activation, noise)
    if samples is not None:
        found = _core.plan_error(features, truth, samples)
    else:
        found = _core.plan_samples(features, truth, target_error)
    nan = float("nan")
    answer = [found.samples, found.ratio, found.error_sbc, found.error_gibbs] if found.reachable else [nan] * 4
    return LearningPlan(found.reachable, *answer, found.best_error)


def learning_curve(
    features: float, density: float, noise: float, samples: ArrayLike, *, activation: str = "step"
) -> Columns:
    """Error on new samples against the number of samples.

    Parameters
    ----------
    features, density, noise, activation
        As for :func:`plan`.
    samples : array-like
        Numbers of samples.

    Returns
    -------
    dict of ndarray
        Columns ``samples``, ``ratio``, ``error_sbc``, ``error_gibbs``.
    """
    truth = _core.Perceptron(density, activation, noise)
    numbers = np.asarray(samples, dtype=float).ravel().tolist()
    return _columns(
        _core.learning_curve(features, truth, numbers), ["samples", "ratio", "error_sbc", "error_gibbs"]
    )
