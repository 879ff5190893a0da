"""From what users pass (arrays, frames, sparse matrices) to what the core takes."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import scipy.sparse
from sklearn.utils.validation import _check_feature_names, _check_n_features, check_array, validate_data

from . import _core
from ._containers import as_table

CovariateColumns = List[Tuple[str, List[str]]]


class Features(NamedTuple):
    """Features as an array (float32 or float64) or as sparse columns, and the columns that are always kept, as text."""

    matrix: Any
    samples: int
    covariates: CovariateColumns


_MOST_STORED = 0.1  # of the values: above, the dense form is the faster one

# Anything but float64 becomes float32: that is what the core computes with. NaN is a missing value.
_CHECKS = {"accept_sparse": ["csc", "csr"], "dtype": [np.float32, np.float64], "ensure_all_finite": "allow-nan"}


def read_features(estimator: Any, X: Any, *, reset: bool) -> Features:
    """Validate ``X``, remember or compare its size and names, and set the covariates apart."""
    X = as_table(X)
    _refuse_same_names(X)
    _refuse_text(estimator, X)
    if estimator.covariates is None:
        X = validate_data(estimator, X, reset=reset, **_CHECKS)
        return Features(_core_form(X), X.shape[0], [])
    if scipy.sparse.issparse(X):
        raise ValueError("covariates need a dense array or a data frame, not a sparse matrix")
    if not hasattr(X, "columns"):
        X = check_array(X, dtype=None, ensure_all_finite=False)
    _check_feature_names(estimator, X, reset=reset)
    _check_n_features(estimator, X, reset=reset)
    always, rest = column_roles(estimator)
    if not rest:
        raise ValueError(f"all {len(always)} columns are covariates: at least one feature is required")
    covariates = [(column_name(estimator, at), _texts(X, at)) for at in always]
    matrix = check_array(_take(X, rest), estimator=estimator, **_CHECKS)
    return Features(matrix, matrix.shape[0], covariates)


def refuse_turned(features: Features, y: Any) -> None:
    """As many labels as columns: the usual export of expression data has a row a gene."""
    columns = getattr(features.matrix, "shape", (0, 0))[1]
    if len(y) != features.samples and len(y) == columns:
        raise ValueError(
            f"X has {features.samples} rows and {columns} columns, y {len(y)} labels: rows must be samples; "
            "if features are in rows, pass X.T"
        )


def _refuse_same_names(X: Any) -> None:
    """Columns of a data frame with one name: nobody could say which is meant."""
    if not hasattr(X, "iloc") or not hasattr(X, "columns") or X.columns.is_unique:
        return
    again = X.columns[X.columns.duplicated()]
    first = again[0]
    at = np.flatnonzero(X.columns == first)
    raise ValueError(
        f"columns {at[0]} and {at[1]} of X have the same name, {str(first)!r}; {len(again)} names in all come again. Keep "
        "the first of each (X.loc[:, ~X.columns.duplicated()]), join them (X.T.groupby(level=0).mean().T), or make names "
        "unique"
    )


def _refuse_text(estimator: Any, X: Any) -> None:
    """The first column of a data frame that holds text and is no covariate."""
    if not hasattr(X, "iloc") or not hasattr(X, "dtypes"):
        return
    always = {str(name) for name in estimator.covariates or []}
    for at, kind in enumerate(X.dtypes):
        name = str(X.columns[at])
        if kind.kind not in "OUS" or name in always or at in (estimator.covariates or []):
            continue
        text = next((value for value in X.iloc[:, at] if isinstance(value, str)), None)
        if text is not None and _is_no_number(text):
            raise ValueError(
                f"column {name!r} of X holds text, such as {text!r}, which is no number: leave it out of X, or name it in "
                "covariates"
            )


def _is_no_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return True
    return False


def column_roles(estimator: Any) -> Tuple[List[int], List[int]]:
    """Positions of the covariates, in the order asked for, and of the features."""
    always = [_position(estimator, which) for which in estimator.covariates or []]
    if len(set(always)) != len(always):
        raise ValueError(f"covariates names a column twice: {list(estimator.covariates)}")
    return always, [at for at in range(estimator.n_features_in_) if at not in set(always)]


def column_name(estimator: Any, at: int) -> str:
    """The column's own name, or what the command line calls it in a table without a header."""
    names = getattr(estimator, "feature_names_in_", None)
    return f"x{at + 1}" if names is None else str(names[at])


def sample_names(X: Any) -> List[str]:
    """The index of a data frame, unless it only counts rows; empty: samples are numbered from 1."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or getattr(index, "start", None) is not None:  # no frame, a list, a RangeIndex
        return []
    return [str(name) for name in index]


def group_names(groups: Any, samples: int) -> List[str]:
    """What each sample belongs to, as text; "" where that is missing. Empty: nothing is known of groups."""
    if groups is None:
        return []
    values = np.asarray(groups, dtype=object)
    if values.ndim != 1 or len(values) != samples:
        raise ValueError(f"groups: a name for each of the {samples} samples is needed, got an array of shape {values.shape}")
    return ["" if value is None or value != value else str(value) for value in values]


def core_names(estimator: Any) -> List[str]:
    """Names of the features; empty when the core may use its own."""
    if not hasattr(estimator, "feature_names_in_") and not estimator.covariates:
        return []
    return [column_name(estimator, at) for at in column_roles(estimator)[1]]


def _position(estimator: Any, which: Any) -> int:
    names: Optional[Sequence[str]] = getattr(estimator, "feature_names_in_", None)
    if isinstance(which, str):
        found = np.flatnonzero(np.asarray(names) == which) if names is not None else np.array([], dtype=int)
        if len(found) != 1:
            raise ValueError(f"covariate {which!r} is not a column of X" + ("" if names is not None else ", which has no names"))
        return int(found[0])
    at = int(which)
    if not 0 <= at < estimator.n_features_in_:
        raise ValueError(f"covariate {at} is outside the {estimator.n_features_in_} columns of X")
    return at


def _take(X: Any, positions: List[int]) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, positions]
    if hasattr(X, "columns"):
        return X.select([X.columns[at] for at in positions])
    return X[:, positions]


def _texts(X: Any, at: int) -> List[str]:
    if hasattr(X, "iloc"):
        values = X.iloc[:, at].tolist()
    elif hasattr(X, "columns"):
        values = X[X.columns[at]].to_list()
    else:
        values = X[:, at].tolist()
    return ["" if value is None or value != value else str(value) for value in values]


def _core_form(X: Any) -> Any:
    """Sparse input stays sparse where that pays; else it becomes an array."""
    if not scipy.sparse.issparse(X):
        return X
    if X.nnz > _MOST_STORED * X.shape[0] * X.shape[1]:
        return X.astype(np.float32).toarray()
    X = X.tocsc()
    if not X.has_sorted_indices or not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return _core.SparseColumns(
        X.shape[0], X.indptr.astype(np.uint64), X.indices.astype(np.uint32), X.data.astype(np.float32)
    )
