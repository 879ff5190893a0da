"""Sparse Bayesian classification for data with far more features than samples.

One fit answers three questions: the label of a new sample (a calibrated probability), which features matter (a
posterior inclusion probability each), and how wrong this will be on new samples (the leave-one-out error, without a
refit).
"""

import importlib
from typing import Any

from . import theory
from ._classifier import SparseBayesClassifier
from ._cohort import Told, adapt, predict, validate
from ._core import __version__
from ._files import load, save
from ._panel import Panel
from ._selector import PruningSelector
from ._simulate import Simulation, simulate
from ._stability import Stability, stability



def __getattr__(name: str) -> Any:
    if name == "plots":  # needs matplotlib: loaded when it is asked for
        return importlib.import_module(".plots", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Panel",
    "PruningSelector",
    "Simulation",
    "SparseBayesClassifier",
    "Stability",
    "Told",
    "__version__",
    "adapt",
    "load",
    "predict",
    "save",
    "simulate",
    "stability",
    "theory",
    "validate",
]
