"""The defaults work on every real data set, without a warning."""

import warnings

import numpy as np
import pytest
from conftest import DATA_SETS

from cavity import SparseBayesClassifier

# Above what any of the usual classifiers leaves; far below the error of guessing the larger class.
WORST = {"breast": 0.35, "colon": 0.2, "leukemia": 0.1, "prostate": 0.15, "srbct": 0.1}


@pytest.mark.parametrize("name", DATA_SETS)
def test_default_fit(name, read_data):
    X, y = read_data(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = SparseBayesClassifier(n_jobs=-1).fit(X, y)
        proba = clf.predict_proba(X)
    assert clf.converged_ and clf.loo_error_ <= WORST[name]
    assert proba.shape == (len(y), y.nunique()) and np.allclose(proba.sum(axis=1), 1)
    assert clf.feature_names_in_[0] == X.columns[0]
