"""A fit in words: what was left to know after it, for warnings_, verbose output and notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _core


def python_notes(summary: Dict[str, Any]) -> List[str]:
    """The core's notes, with options spelled as parameters."""
    return [_core.spell_options(note) for note in summary["notes"]]


def python_warnings(summary: Dict[str, Any]) -> List[Dict[str, str]]:
    """The core's warnings, with options spelled as parameters."""
    return [
        {"name": warning["name"], "text": _core.spell_options(warning["text"]), "cure": _core.spell_options(warning["cure"])}
        for warning in summary["warnings"]
    ]


def summary_html(classifier: Any, most: int = 10) -> str:
    """A small table under the estimator's box in a notebook; empty before the fit."""
    if not hasattr(classifier, "loo_error_"):
        return ""
    inclusion = classifier.inclusion_probability_
    names = classifier._all_names()
    top = [at for at in np.argsort(-inclusion, kind="stable")[:most] if inclusion[at] > 0]
    rows = "".join(f"<tr><td>{escape(names[at])}</td><td>{inclusion[at]:.3f}</td></tr>" for at in top)
    notes = "".join(f"<li>{escape(w['name'])}: {escape(w['text'])} ({escape(w['cure'])})</li>" for w in classifier.warnings_)
    return (
        f"<p>Leave-one-out error {classifier.loo_error_:.4f} &plusmn; {classifier.loo_error_se_:.4f}, log loss "
        f"{classifier.loo_log_loss_:.4f}; solver {escape(str(classifier.solver_))}</p>"
        f"<table><thead><tr><th>feature</th><th>inclusion probability</th></tr></thead><tbody>{rows}</tbody></table>"
        + (f"<ul>{notes}</ul>" if notes else "")
    )


def number(value: Optional[float]) -> float:
    return np.nan if value is None else value


def interval(ends: Optional[List[Optional[float]]]) -> Tuple[float, float]:
    low, high = ends or (None, None)
    return number(low), number(high)


def cell_columns(cells: List[Dict[str, Any]], classes: NDArray[Any]) -> Dict[str, NDArray[Any]]:
    """Cells of the grid as columns, with the class that each asks for."""
    return {"class": classes, **{name: np.array([number(cell[name]) for cell in cells]) for name in cells[0]}}


def grid_columns(questions: List[Dict[str, Any]]) -> Dict[str, NDArray[Any]]:
    cells = [cell for question in questions for cell in question["grid"]]
    return cell_columns(cells, np.repeat(_classes(questions), [len(question["grid"]) for question in questions]))


def chosen_columns(questions: List[Dict[str, Any]]) -> Dict[str, NDArray[Any]]:
    return cell_columns([question["grid"][question["chosen"]] for question in questions], _classes(questions))


def _classes(questions: List[Dict[str, Any]]) -> NDArray[Any]:
    return np.array([question["class"] for question in questions])


def progress_line(cell: int, cells: int, density: float, noise: float, residual: float) -> None:
    print(
        f"[cavity] cell {cell}/{cells}, density {density:.4g}, noise {noise:.4g}, residual {residual:.0e}", flush=True
    )
