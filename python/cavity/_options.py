"""From an estimator's parameters to the core's options."""

from __future__ import annotations

import functools
import numbers
from typing import Any, Callable, List, Mapping, TypeVar, cast

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from . import _core

SOLVERS = {name: name for name in _core.SOLVERS}
SELECTIONS = {name: name for name in _core.SELECTIONS}
BOUNDARIES = {name: name for name in _core.BOUNDARIES}
TRANSFORMS = {name: name for name in _core.TRANSFORMS}
ACTIVATIONS = {name: name for name in ("auto", "step", "probit", "logistic")}
SCALES = {"auto": (None, False), "variance": (True, False), "none": (False, False), "whiten": (True, True)}
DEFAULT_SEED = 1  # of the command line
_Init = TypeVar("_Init", bound=Callable[..., None])


def fit_options(estimator: Any) -> _core.FitOptions:
    """Raise ValueError for a value that makes no sense; the core checks the ranges of density and noise."""
    options = _core.FitOptions()
    options.solver = _look_up("solver", estimator.solver, SOLVERS)
    options.activation = _look_up("activation", estimator.activation, ACTIVATIONS)
    options.boundary = _look_up("boundary", estimator.boundary, BOUNDARIES)
    options.select = _look_up("select", estimator.select, SELECTIONS)
    options.value_transform = _look_up("value_transform", estimator.value_transform, TRANSFORMS)
    options.unit_variance, options.whiten = _look_up("scale", estimator.scale, SCALES)
    options.paper_grid = isinstance(estimator.density, str) and estimator.density == "paper"
    options.density = [] if options.paper_grid else _grid("density", estimator.density)
    options.noise = _grid("noise", estimator.noise)
    options.width = _grid("width", estimator.width)
    options.intercept = bool(estimator.fit_intercept)
    if estimator.max_iter is not None:
        if not isinstance(estimator.max_iter, numbers.Integral) or estimator.max_iter < 1:
            raise ValueError(f"max_iter={estimator.max_iter!r} must be a positive whole number or None")
        options.max_iterations = int(estimator.max_iter)
    if not isinstance(estimator.tol, numbers.Real) or not estimator.tol > 0:
        raise ValueError(f"tol={estimator.tol!r} must be a positive number")
    options.tolerance = float(estimator.tol)
    if not isinstance(estimator.check_loo, numbers.Integral) or estimator.check_loo < 0:
        raise ValueError(f"check_loo={estimator.check_loo!r} must be a whole number, 0 or more")
    options.check_loo = int(estimator.check_loo)
    options.threads = threads(estimator)
    options.seed = _seed(estimator.random_state)
    return options


def refuse_arguments(estimator: Any, given: Mapping[str, Any]) -> None:
    """Raise TypeError for what fit does not take, and say what there is instead."""
    _refuse_class_weight(type(estimator).__name__, given)
    if given.get("sample_weight") is not None:
        raise TypeError(
            f"{type(estimator).__name__} has no sample_weight: a sample is one measurement, and a weight would change what "
            "leave-one-out leaves out. Where classes should count as in another population use class_prior; leave samples "
            "of weight 0 out of X; of repeated measurements keep the mean, or name them in groups"
        )
    unknown = [name for name in given if name not in ("sample_weight", "class_weight")]
    if unknown:
        raise TypeError(f"{type(estimator).__name__}.fit() got an unexpected keyword argument {unknown[0]!r}")


def refusing_class_weight(init: _Init) -> _Init:
    """An ``__init__`` that says so where it is given what other classifiers take when they are made."""

    @functools.wraps(init)
    def refusing(self: Any, *args: Any, **given: Any) -> None:
        _refuse_class_weight(type(self).__name__, given)
        init(self, *args, **given)

    return cast(_Init, refusing)


def _refuse_class_weight(name: str, given: Mapping[str, Any]) -> None:
    if given.get("class_weight") is not None:
        raise TypeError(
            f"{name} has no class_weight: samples count as they are, and weights would make probabilities those of no "
            "population. Where classes should count as in another population, or all alike, use class_prior ('uniform', or "
            "shares); where one kind of error costs more set a threshold on predict_proba"
        )


def threads(estimator: Any) -> int:
    return max(1, effective_n_jobs(estimator.n_jobs))


def _look_up(parameter: str, value: Any, table: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value in table:
        return table[value]
    raise ValueError(f"{parameter}={value!r} is unknown: use one of {', '.join(map(repr, table))}")


def _grid(parameter: str, value: Any) -> List[float]:
    if isinstance(value, str):
        if value == "auto":
            return []
        raise ValueError(f"{parameter}={value!r} is unknown: use 'auto', a number or a list of numbers")
    try:
        values = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        raise ValueError(f"{parameter}={value!r} is neither 'auto', a number nor a list of numbers") from None
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(f"{parameter} must be a number or a flat list of numbers, got shape {values.shape}")
    return values.tolist()


def _seed(random_state: Any) -> int:
    if random_state is None:
        return DEFAULT_SEED
    if isinstance(random_state, numbers.Integral) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
