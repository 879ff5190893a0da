"""Attributes of a fitted classifier that had one shape for two classes and another for more: for one version more."""

from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, NamedTuple


class _Former(NamedTuple):
    instead: str
    value: Callable[[Any], Any]


def _of_chosen(name: str) -> _Former:
    def value(classifier: Any) -> Any:
        column = classifier.chosen_[name]
        return float(column[0]) if len(column) == 1 else column

    return _Former(f"chosen_[{name!r}]", value)


def _of_two_classes(key: str) -> _Former:
    """What more classes never had."""

    def value(classifier: Any) -> Any:
        if len(classifier.questions_) > 1:
            raise AttributeError(f"{key} is that of one class against the others: use questions_")
        held = classifier.questions_[0][key]
        return tuple(held) if key.endswith("_interval") else held

    return _Former(f"questions_[0][{key!r}]", value)


def _loo_proba(classifier: Any) -> Any:
    proba = classifier.loo_probability_
    return proba[:, 1] if proba.shape[1] == 2 else proba


def _loo_check(classifier: Any) -> Any:
    checks = [question["loo_check"] for question in classifier.questions_]
    return checks[0] if len(checks) == 1 else (checks if all(checks) else None)


_FIGURES = ("sensitivity", "sensitivity_interval", "specificity", "specificity_interval", "auc", "auc_se", "auc_interval")
_FORMER: Dict[str, _Former] = {
    "loo_proba_": _Former("loo_probability_, a column a class", _loo_proba),
    "loo_check_": _Former("questions_[k]['loo_check']", _loo_check),
    "covariate_weights_": _of_two_classes("covariates"),
    **{f"{name}_": _of_chosen(name) for name in ("density", "noise", "log_evidence")},
    **{f"{name}_": _of_two_classes(name) for name in _FIGURES},
}


class FormerAttributes:
    """To be inherited from: gives what such an attribute was, and warns."""

    def __getattr__(self, name: str) -> Any:
        if name not in _FORMER or "questions_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        former = _FORMER[name]
        value = former.value(self)
        warnings.warn(f"{name} goes with version 2: use {former.instead}", DeprecationWarning, stacklevel=2)
        return value
