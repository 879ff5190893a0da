"""What a fit says about itself, and its predictions."""

import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning

import cavity
from cavity import SparseBayesClassifier


def test_fitted_attributes(toy):
    clf = SparseBayesClassifier(density=[0.05, 0.3], noise=[0.02, 0.1]).fit(toy.X, toy.y)
    table = pd.DataFrame(clf.grid_)
    assert len(table) == 4 and table["weight"].sum() == pytest.approx(1)
    heaviest = table.loc[table["weight"].idxmax()]
    assert all(clf.chosen_[name] == [heaviest[name]] for name in ("class", "density", "noise", "log_evidence"))
    assert clf.n_iter_ == heaviest["iterations"] and clf.solver_ == "ep" and clf.converged_
    assert clf.loo_probability_.shape == (80, 2) and clf.loo_reliable_.dtype == bool
    assert clf.loo_error_ == np.mean((clf.loo_probability_[:, 1] >= 0.5) != (toy.y > 0))
    own = clf.loo_probability_[np.arange(80), (toy.y > 0).astype(int)]
    assert clf.loo_log_loss_ == pytest.approx(-np.log(own).mean())
    assert clf.coef_.shape == (1, 120) and clf.intercept_.shape == (1,)
    assert ((clf.inclusion_probability_ >= 0) & (clf.inclusion_probability_ <= 1)).all()


def test_leave_one_out_agrees_with_refits(toy):
    options = {"density": 0.1, "noise": 0.1, "value_transform": "none", "scale": "none"}
    loo = SparseBayesClassifier(**options).fit(toy.X, toy.y).loo_probability_[:, 1]
    for left_out in range(0, 80, 16):
        rest = np.arange(80) != left_out
        refit = SparseBayesClassifier(**options).fit(toy.X[rest], toy.y[rest])
        assert refit.predict_proba(toy.X[[left_out]])[0, 1] == pytest.approx(loo[left_out], abs=0.1)


def test_linear_score_follows_the_decision(toy, quick):
    quick.set_params(value_transform="none").fit(toy.X, toy.y)
    score = toy.X @ quick.coef_[0] + quick.intercept_[0]
    assert np.corrcoef(score, quick.decision_function(toy.X))[0, 1] > 0.9


def test_decision_is_the_probit_score(toy, quick):
    quick.fit(toy.X, toy.y)
    proba = quick.predict_proba(toy.X)
    assert np.allclose(ndtr(quick.decision_function(toy.X)), proba[:, 1], rtol=1e-9)
    assert np.array_equal(quick.predict(toy.X), np.where(quick.decision_function(toy.X) >= 0, 1, -1))
    assert np.allclose(np.exp(quick.predict_log_proba(toy.X)), proba)


def test_class_prior_is_bayes_rule(toy, quick):
    quick.fit(toy.X, toy.y)
    plain = quick.predict_proba(toy.X)
    share = np.mean(toy.y > 0)
    shifted = quick.set_params(class_prior=[0.9, 0.1]).predict_proba(toy.X)
    odds = plain[:, 1] / plain[:, 0] * (0.1 / 0.9) / (share / (1 - share))
    assert np.allclose(shifted[:, 1] / shifted[:, 0], odds)
    assert np.allclose(quick.set_params(class_prior=[1 - share, share]).predict_proba(toy.X), plain)


def test_three_classes(toy, tmp_path):
    labels = np.where(toy.X[:, 0] > 0.5, "c", np.where(toy.y > 0, "a", "b"))
    clf = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, labels)
    proba = clf.predict_proba(toy.X)
    assert clf.classes_.tolist() == ["a", "b", "c"] and proba.shape == (80, 3)
    assert np.allclose(proba.sum(axis=1), 1)
    assert np.array_equal(clf.predict(toy.X), clf.classes_[clf.decision_function(toy.X).argmax(axis=1)])
    assert clf.loo_probability_.shape == (80, 3) and clf.coef_.shape == clf.coef_inclusion_.shape == (3, 120)
    assert np.array_equal(clf.inclusion_probability_, clf.coef_inclusion_.max(axis=0))
    assert set(pd.DataFrame(clf.grid_)["class"]) == {"a", "b", "c"} and clf.chosen_["class"].tolist() == ["a", "b", "c"]
    one = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, labels == "c")
    assert np.array_equal(clf.coef_inclusion_[2], one.inclusion_probability_)
    assert clf.confusion_.sum(axis=1).tolist() == clf.class_count_.tolist() and clf.intercept_.shape == (3,)
    assert np.isclose(clf.loo_error_, 1 - np.trace(clf.confusion_) / 80)
    cavity.save(clf, tmp_path / "three.cavity")
    loaded = cavity.load(tmp_path / "three.cavity")
    assert np.array_equal(loaded.predict_proba(toy.X), proba) and np.array_equal(loaded.coef_, clf.coef_)


def test_class_prior_of_three_classes(toy):
    labels = np.where(toy.X[:, 0] > 0.5, "c", np.where(toy.y > 0, "a", "b"))
    plain = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, labels)
    prior = [0.2, 0.3, 0.5]
    told = SparseBayesClassifier(density=0.1, noise=0.05, class_prior=prior).fit(toy.X, labels)
    ratio = np.array(prior) / (plain.class_count_ / 80)
    expected = plain.predict_proba(toy.X) * ratio
    assert np.allclose(told.predict_proba(toy.X), expected / expected.sum(axis=1, keepdims=True))
    assert np.allclose(plain.set_params(class_prior=prior).predict_proba(toy.X), told.predict_proba(toy.X))


def test_check_loo_refits(toy):
    assert SparseBayesClassifier(density=0.1, noise=0.1).fit(toy.X, toy.y).questions_[0]["loo_check"] is None
    check = SparseBayesClassifier(density=0.1, noise=0.1, check_loo=5).fit(toy.X, toy.y).questions_[0]["loo_check"]
    assert check["refits"] + check["failed"] == 5 and check["largest_difference"] < 0.2
    with pytest.raises(ValueError, match="check_loo=-1 must be"):
        SparseBayesClassifier(check_loo=-1).fit(toy.X, toy.y)


def test_texts_name_parameters(toy):
    clf = SparseBayesClassifier(density=0.2, noise=0.1, solver="amp").fit(toy.X, toy.y)
    cures = " ".join(warning["cure"] for warning in clf.warnings_)
    assert "solver='ep'" in cures and "check_loo=20" in cures and "--" not in cures and "`" not in cures


@pytest.mark.filterwarnings("default")
def test_no_convergence_warns(toy):
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        clf = SparseBayesClassifier(density=0.02, noise=0.001, max_iter=1).fit(toy.X, toy.y)
    assert not clf.converged_ and "(max_iter)" in clf.warnings_[0]["cure"]


def test_amp_and_activations(toy):
    for options in ({"solver": "amp"}, {"activation": "probit"}, {"activation": "logistic"}, {"scale": "whiten"}):
        clf = SparseBayesClassifier(**{"density": 0.2, "noise": 0.1, **options}).fit(toy.X, toy.y)
        assert clf.score(toy.X, toy.y) > 0.8, options


def test_verbose_prints_a_line_a_cell(toy, capsys):
    SparseBayesClassifier(density=[0.1, 0.3], noise=0.05, verbose=1).fit(toy.X, toy.y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and "cell 2/2" in lines[1]


@pytest.fixture
def ctrl_c():
    """Python's own handler: a process that was started in the background ignores the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("solver", ["ep", "amp"])
def test_interrupt_stops_the_fit(solver, ctrl_c):
    X, y, _ = cavity.simulate(900, 2500, noise=0.05)
    clf = SparseBayesClassifier(solver=solver, tol=1e-300, max_iter=100000, n_jobs=2)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    timer.join()
    assert not hasattr(clf, "classes_")


def test_other_threads_run_during_a_fit(toy):
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    before = len(ticks)
    SparseBayesClassifier(density=[0.1, 0.2, 0.3, 0.4], noise=[0.05, 0.1]).fit(toy.X, toy.y)
    during = len(ticks) - before
    stop.set()
    ticker.join()
    assert during > 0
