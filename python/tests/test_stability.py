"""Halves of the samples, groups of samples."""

import json

import numpy as np
import pytest

import cavity


@pytest.fixture
def clf():
    return cavity.SparseBayesClassifier(density=0.1, noise=0.05)


def test_the_features_that_decide_are_stable(toy, clf):
    result = cavity.stability(clf, toy.X, toy.y, pairs=6, selected=5)
    assert result.halves == 12 and result.failed == 0
    assert result.share.shape == result.mean.shape == result.sd.shape == (toy.X.shape[1],)
    assert np.isclose(result.share.sum(), 5) and np.isclose(result.mean_selected, 5)
    assert toy.teacher[result.share.argmax()] != 0
    assert result.stable == [result.names[at] for at in np.argsort(-result.share, kind="stable") if result.share[at] >= 0.6]
    assert np.isclose(result.most_expected_false, 25 / (toy.X.shape[1] * 0.2))
    assert not hasattr(clf, "classes_")
    again = cavity.stability(clf.set_params(n_jobs=2), toy.X, toy.y, pairs=6, selected=5)
    assert np.array_equal(again.mean, result.mean)


def test_the_inclusion_is_that_of_the_fit(toy, clf):
    result = cavity.stability(clf, toy.X, toy.y, pairs=1)
    assert np.array_equal(result.inclusion, clf.fit(toy.X, toy.y).inclusion_probability_)


def test_the_average_over_halves_is_that_of_the_command_line(command_line, write_csv):
    X, y, _ = cavity.simulate(300, 400, teacher=0.05, noise=0.05, seed=3)
    data = write_csv(X, y)
    options = ["--density", "0.05", "--noise", "0.1", "--value-transform", "none", "--solver", "gamp", "--selected", "6"]
    told = json.loads(command_line("stability", data, "--analytic", "--json", "--top", X.shape[1], *options))
    clf = cavity.SparseBayesClassifier(density=0.05, noise=0.1, value_transform="none", solver="gamp")
    result = cavity.stability(clf, X, y, selected=6, analytic=True)
    assert result.halves == told["halves"] == 0
    expected = {row["name"]: row for row in told["top_features"]}
    for figure in ("inclusion", "mean", "sd", "share"):
        ours = np.array([expected[f"g{j}"][figure] for j in range(X.shape[1])])
        assert np.abs(getattr(result, figure) - ours).max() <= 1e-12
    assert np.isclose(result.mean_selected, 6, atol=0.1)


def test_bad_questions_are_refused(toy, clf):
    with pytest.raises(ValueError, match=r"\(analytic\).*solver='gamp'"):
        cavity.stability(clf, toy.X, toy.y, analytic=True)
    with pytest.raises(ValueError, match="threshold"):
        cavity.stability(clf, toy.X, toy.y, threshold=0.4)
    with pytest.raises(ValueError, match="fdr"):
        cavity.stability(clf, toy.X, toy.y, fdr=2.0)
    with pytest.raises(ValueError, match="two classes"):
        cavity.stability(clf, toy.X, np.arange(len(toy.y)) % 3)


def twins(toy):
    noisy = toy.X + 0.3 * np.random.default_rng(1).standard_normal(toy.X.shape).astype(np.float32)
    return np.vstack([toy.X, noisy]), np.tile(toy.y, 2), np.tile(np.arange(len(toy.y)), 2)


def test_groups_are_left_out_together(toy, clf):
    X, y, patient = twins(toy)
    alone, grouped = clf.fit(X, y).loo_log_loss_, clf.fit(X, y, groups=patient).loo_log_loss_
    assert clf.n_groups_ == len(toy.y)
    assert alone < grouped - 0.05
    assert clf.fit(X, y, groups=np.arange(len(y))).loo_log_loss_ == alone
    assert clf.fit(X, y).n_groups_ == 0


def test_unknown_groups_stand_alone(toy, clf):
    names = [None, float("nan"), *range(2, len(toy.y))]
    assert clf.fit(toy.X, toy.y, groups=names).n_groups_ == len(toy.y)


def test_groups_that_cannot_be_left_out_are_refused(toy, clf):
    with pytest.raises(ValueError, match="shape"):
        clf.fit(toy.X, toy.y, groups=[1, 2])
    with pytest.raises(ValueError, match="holds every sample"):
        clf.fit(toy.X, toy.y, groups=np.where(toy.y > 0, "ward", [f"p{i}" for i in range(len(toy.y))]))
    with pytest.raises(ValueError, match=r"groups of samples \(groups\).*by ep and gamp"):
        clf.set_params(solver="amp").fit(toy.X, toy.y, groups=np.arange(len(toy.y)) // 2)
