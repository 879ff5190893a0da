"""Tables of other libraries, as the frames and matrices that everything else takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse


def as_table(X: Any) -> Any:
    """An AnnData as a frame named by its observations and variables, an Arrow table as a frame; anything else as it is."""
    if _is_annotated(X):
        return _annotated_frame(X)
    if hasattr(X, "mod") and hasattr(X, "obs_names"):
        names = ", ".join(repr(str(name)) for name in X.mod)
        raise ValueError(f"X holds several tables, {names}: give one of them, such as X.mod[{next(iter(X.mod))!r}]")
    if hasattr(X, "to_pandas") and hasattr(X, "schema") and hasattr(X, "column_names"):
        return X.to_pandas()
    return X


def of_samples(X: Any, what: Any) -> Any:
    """Labels or groups that name a column of an AnnData's ``obs``: that column; else what was given."""
    if not isinstance(what, str) or not _is_annotated(X):
        return what
    if what not in X.obs:
        columns = ", ".join(repr(str(name)) for name in list(X.obs)[:8])
        raise ValueError(f"obs has no column {what!r}; it has {columns or 'none'}")
    return X.obs[what]


def _is_annotated(X: Any) -> bool:
    return hasattr(X, "X") and hasattr(X, "obs") and hasattr(X, "var_names") and hasattr(X, "obs_names")


def _annotated_frame(X: Any) -> Any:
    import pandas

    if X.X is None:
        raise ValueError("X.X of this AnnData is empty: put the layer to be fitted there, such as X.X = X.layers['counts']")
    names = [str(name) for name in X.var_names]
    if len(set(names)) != len(names):
        raise ValueError(f"{len(names) - len(set(names))} names of X.var_names come again: X.var_names_make_unique()")
    index = [str(name) for name in X.obs_names]
    if scipy.sparse.issparse(X.X):
        return pandas.DataFrame.sparse.from_spmatrix(X.X, index=index, columns=names)
    return pandas.DataFrame(np.asarray(X.X), index=index, columns=names)
