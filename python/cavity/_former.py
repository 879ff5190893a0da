"""Attributes of a fitted classifier that had one shape for two classes and another for more: for one version more."""

from __future__ import annotations

import warnings
from typing import Any, Callable


class Former:
    """Gives what the attribute was, and warns."""

    def __init__(self, instead: str, value: Callable[[Any], Any]) -> None:
        self._instead = instead
        self._value = value

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, classifier: Any, owner: Any = None) -> Any:
        if classifier is None:
            return self
        if not hasattr(classifier, "questions_"):
            raise AttributeError(f"{type(classifier).__name__} is not fitted and has no {self._name}")
        value = self._value(classifier)
        warnings.warn(f"{self._name} goes with the next version: use {self._instead}", DeprecationWarning, stacklevel=2)
        return value


def of_chosen(name: str) -> Former:
    def value(classifier: Any) -> Any:
        column = classifier.chosen_[name]
        return float(column[0]) if len(column) == 1 else column

    return Former(f"chosen_[{name!r}]", value)


def of_two_classes(key: str) -> Former:
    """What more classes never had."""

    def value(classifier: Any) -> Any:
        if len(classifier.questions_) > 1:
            raise AttributeError(f"{key} is that of a class against the others: use questions_")
        held = classifier.questions_[0][key]
        return tuple(held) if key.endswith("_interval") else held

    return Former(f"questions_[0][{key!r}]", value)


def _loo_proba(classifier: Any) -> Any:
    proba = classifier.loo_probability_
    return proba[:, 1] if proba.shape[1] == 2 else proba


def _loo_check(classifier: Any) -> Any:
    checks = [question["loo_check"] for question in classifier.questions_]
    return checks[0] if len(checks) == 1 else (checks if all(checks) else None)


class FormerAttributes:
    """To be inherited from."""

    loo_proba_ = Former("loo_probability_, a column a class", _loo_proba)
    loo_check_ = Former("questions_[k]['loo_check']", _loo_check)
    density_, noise_, log_evidence_ = of_chosen("density"), of_chosen("noise"), of_chosen("log_evidence")
    sensitivity_, sensitivity_interval_ = of_two_classes("sensitivity"), of_two_classes("sensitivity_interval")
    specificity_, specificity_interval_ = of_two_classes("specificity"), of_two_classes("specificity_interval")
    auc_, auc_se_, auc_interval_ = of_two_classes("auc"), of_two_classes("auc_se"), of_two_classes("auc_interval")
    covariate_weights_ = of_two_classes("covariates")
