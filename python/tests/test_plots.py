"""Each plot draws what it says and returns its Axes."""

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot

from cavity import SparseBayesClassifier, plots


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def fitted(toy):
    return SparseBayesClassifier(density=[0.05, 0.3], noise=[0.02, 0.1]).fit(toy.X, toy.y)


def test_grid(fitted):
    ax = plots.grid(fitted)
    drawn = sorted(y for line in ax.lines[:2] for y in line.get_ydata())
    assert drawn == sorted(fitted.grid_["loo_error"])


def test_inclusion(fitted):
    ax = plots.inclusion(fitted, n_features=5)
    assert [bar.get_width() for bar in ax.patches] == sorted(fitted.inclusion_probability_, reverse=True)[:5]


def test_calibration(fitted, toy):
    _, ax = pyplot.subplots()
    assert plots.calibration(fitted, toy.y, ax=ax) is ax
    with pytest.raises(ValueError, match="80 samples"):
        plots.calibration(fitted, toy.y[1:])


def test_learning_curve():
    ax = plots.learning_curve(1000, 0.05, 0.05, samples=[100, 500])
    assert np.array_equal(ax.lines[0].get_xdata(), [100, 500])


def test_more_than_two_classes(toy):
    labels = np.where(toy.X[:, 0] > 0.5, "c", np.where(toy.y > 0, "a", "b"))
    clf = SparseBayesClassifier(density=[0.1, 0.3], noise=0.05).fit(toy.X, labels)
    drawn = plots.grid(clf, of_class="b").lines[0].get_ydata()
    assert sorted(drawn) == sorted(clf.grid_["loo_error"][clf.grid_["class"] == "b"])
    bars = plots.inclusion(clf, n_features=3, of_class="c").patches
    assert [bar.get_width() for bar in bars] == sorted(clf.coef_inclusion_[2], reverse=True)[:3]
    plots.calibration(clf, labels, of_class="a")
    with pytest.raises(ValueError, match="'d' is none of"):
        plots.grid(clf, of_class="d")
