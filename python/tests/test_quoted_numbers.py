"""The numbers people quote, classes as in a population, the linear score, and messages that speak Python."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, ttest_ind
from sklearn.metrics import brier_score_loss, confusion_matrix, roc_auc_score

import cavity
from cavity import PruningSelector, SparseBayesClassifier


def test_they_are_those_of_scikit_learn(toy, quick):
    clf = quick.fit(toy.X, toy.y)
    p, told = clf.loo_probability_[:, 1], clf.questions_[0]
    assert np.array_equal(clf.confusion_, confusion_matrix(toy.y, np.where(p >= 0.5, 1, -1)))
    assert told["class"] == 1 and told["auc"] == pytest.approx(roc_auc_score(toy.y, p), abs=1e-12)
    assert clf.brier_ == pytest.approx(brier_score_loss(toy.y == 1, p), abs=1e-12)
    assert told["sensitivity"] == clf.confusion_[1, 1] / clf.confusion_[1].sum()
    assert clf.balanced_accuracy_ == pytest.approx((told["sensitivity"] + told["specificity"]) / 2)
    for value, interval in ((told["auc"], told["auc_interval"]), (clf.loo_error_, clf.loo_error_interval_)):
        assert interval[0] <= value <= interval[1]


def test_each_class_against_the_others_has_them(toy):
    y = np.where(toy.X[:, 0] > 0.5, 2, toy.y)
    clf = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, y)
    for k, told in enumerate(clf.questions_):
        p, hit = clf.loo_probability_[:, k], y == clf.classes_[k]
        assert told["class"] == clf.classes_[k] and told["auc"] == pytest.approx(roc_auc_score(hit, p), abs=1e-12)
        assert told["sensitivity"] == np.mean(p[hit] >= 0.5) and told["specificity"] == np.mean(p[~hit] < 0.5)
        assert told["sensitivity"] > 0


def test_names_that_go_give_what_they_gave_and_warn(toy):
    two = SparseBayesClassifier(density=0.1, noise=0.05, check_loo=2).fit(toy.X, toy.y)
    three = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, np.where(toy.X[:, 0] > 0.5, 2, toy.y))
    told = two.questions_[0]
    was = {"loo_proba_": two.loo_probability_[:, 1], "density_": 0.1, "noise_": 0.05, "auc_": told["auc"],
           "auc_interval_": tuple(told["auc_interval"]), "sensitivity_": told["sensitivity"], "loo_check_": told["loo_check"],
           "covariate_weights_": []}  # fmt: skip
    for name, value in was.items():
        with pytest.warns(DeprecationWarning, match=f"{name} goes with version 2: use "):
            assert np.array_equal(getattr(two, name), value), name
    with pytest.warns(DeprecationWarning):
        assert three.loo_proba_.shape == (80, 3) and three.density_.tolist() == [0.1] * 3
    assert not hasattr(three, "auc_") and not hasattr(SparseBayesClassifier(), "auc_")


def test_what_is_fitted_has_one_shape(toy):
    """The same attributes, of the same types and numbers of axes, for two classes and for four."""

    def shape(value):
        return value.ndim if isinstance(value, np.ndarray) else None

    def fitted(y):
        clf = SparseBayesClassifier(density=[0.1, 0.3], noise=0.05).fit(toy.X, y)
        return {name: (type(value), shape(value)) for name, value in vars(clf).items() if name.endswith("_")}, clf

    (two, first), (four, second) = fitted(toy.y), fitted(2 * (toy.X[:, 0] > 0) + (toy.y > 0))
    assert two == four and "questions_" in two
    assert len(first.questions_) == 1 and len(second.questions_) == 4
    assert list(first.questions_[0]) == list(second.questions_[0]) and list(first.summary_) == list(second.summary_)
    assert list(first.grid_) == list(second.grid_) == list(first.chosen_)


def test_a_prior_moves_the_figures_too_and_is_saved(toy, tmp_path):
    plain = SparseBayesClassifier(density=0.1, noise=0.05).fit(toy.X, toy.y)
    rare = SparseBayesClassifier(density=0.1, noise=0.05, class_prior=[0.9, 0.1]).fit(toy.X, toy.y)
    factor = 0.1 / 0.9 * (toy.y == -1).sum() / (toy.y == 1).sum()
    odds = lambda p: p / (1 - p)
    assert np.allclose(odds(rare.loo_probability_[:, 1]), factor * odds(plain.loo_probability_[:, 1]))
    assert np.allclose(odds(rare.predict_proba(toy.X)[:, 1]), factor * odds(plain.predict_proba(toy.X)[:, 1]))
    told = rare.questions_[0]
    assert rare.loo_error_ == pytest.approx(0.1 * (1 - told["sensitivity"]) + 0.9 * (1 - told["specificity"]))
    cavity.save(rare, tmp_path / "m.cavity")
    loaded = cavity.load(tmp_path / "m.cavity")
    assert np.allclose(loaded.class_prior, [0.9, 0.1])
    assert np.allclose(loaded.predict_proba(toy.X), rare.predict_proba(toy.X), rtol=0, atol=1e-12)
    back = rare.set_params(class_prior=None).predict_proba(toy.X)
    assert np.allclose(back, plain.predict_proba(toy.X), rtol=0, atol=1e-9)


def test_every_number_of_the_page_has_a_name_here(toy, quick):
    clf = quick.fit(toy.X, toy.y)
    page = clf.report_data()
    given = {"kind", "version", "command", "seed", "options", "file", "notes", "citation", "warnings"}
    tables = {"sample_table", "feature_table", "feature_total", "contributions", "questions", "drawn"}
    named = set(page) - given - tables
    assert len(named) > 20
    for name in named:
        assert clf.summary_[name] == page[name], name
    (asked,) = page["questions"]
    assert len(asked) > 12 and all(clf.summary_["questions"][0][name] == asked[name] for name in asked)
    order = np.argsort(-clf.inclusion_probability_, kind="stable")
    features = page["feature_table"]
    assert np.array_equal(features["inclusion"], clf.inclusion_probability_[order])
    for column, ours in (("inclusion", clf.coef_inclusion_), ("weight", clf.coef_), ("sd", clf.coef_sd_)):
        assert np.array_equal(features[f"class_{column}"], ours[:, order].T), column
    assert np.allclose(features["expected_false"], np.cumsum(1 - clf.inclusion_probability_[order]))
    assert np.array_equal(page["sample_table"]["loo_probability"], clf.loo_probability_)
    assert np.array_equal(page["sample_table"]["reliable"], clf.loo_reliable_)
    assert page["guessing"]["gained"] - page["guessing"]["lost"] == round(
        len(toy.y) * (page["guessing"]["error"] - clf.loo_error_)
    )
    cell = asked["grid"][asked["chosen"]]
    assert (cell["density"], cell["noise"]) == (clf.chosen_["density"][0], clf.chosen_["noise"][0])


def test_weights_of_samples_are_refused_with_a_reason(toy, quick):
    with pytest.raises(TypeError, match="has no sample_weight.*class_prior"):
        quick.fit(toy.X, toy.y, sample_weight=np.ones(len(toy.y)))
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        quick.fit(toy.X, toy.y, weights=1)
    quick.fit(toy.X, toy.y, sample_weight=None)
    with pytest.raises(TypeError, match="has no class_weight.*class_prior"):
        SparseBayesClassifier(class_weight="balanced")
    with pytest.raises(TypeError, match="has no class_weight.*class_prior"):
        quick.fit(toy.X, toy.y, class_weight={0: 1, 1: 2})


def test_three_classes_follow_a_prior(toy):
    y = np.where(toy.X[:, 0] > 0.5, 2, toy.y)
    clf = SparseBayesClassifier(density=0.1, noise=0.05, class_prior="uniform").fit(toy.X, y)
    shares = clf.confusion_ / clf.confusion_.sum(axis=1, keepdims=True)
    assert clf.loo_error_ == pytest.approx(1 - np.trace(shares) / 3)
    assert clf.loo_error_interval_[0] <= clf.loo_error_ <= clf.loo_error_interval_[1]


def test_linear_score(toy):
    clf = SparseBayesClassifier(density=0.1, noise=0.05, value_transform="none").fit(toy.X, toy.y)
    score = clf.linear_score()
    weights = {term["name"]: term["weight"] for term in score["terms"]}
    value = score["intercept"] + sum(weights.get(f"x{j + 1}", 0) * toy.X[:, j] for j in range(toy.X.shape[1]))
    assert (np.where(value >= 0, 1, -1) == clf.predict(toy.X)).mean() > 0.9
    ranked = SparseBayesClassifier(density=0.1, noise=0.05, value_transform="rank").fit(toy.X, toy.y)
    with pytest.raises(ValueError, match="not possible.*value_transform='none'"):
        ranked.linear_score()


def test_an_fdr_that_is_overridden_is_said(toy):
    estimator = SparseBayesClassifier(density=0.1, noise=0.2)
    with pytest.warns(UserWarning, match="expected to be false"):
        PruningSelector(estimator, fdr=0.0).fit(toy.X, toy.y)


def test_features_alone_are_those_of_a_t_test(toy, quick):
    clf = quick.set_params(value_transform="none").fit(toy.X, toy.y)
    found = ttest_ind(toy.X[toy.y > 0], toy.X[toy.y < 0])
    means = toy.X[toy.y > 0].mean(0) - toy.X[toy.y < 0].mean(0)
    assert np.allclose(clf.alone_["t"][0], found.statistic, rtol=1e-3, atol=1e-3)  # values are single precision
    assert np.allclose(clf.alone_["difference"][0], means, rtol=1e-3, atol=1e-3)
    assert np.allclose(clf.alone_["q"][0], false_discovery_control(found.pvalue), rtol=1e-2, atol=1e-4)
    assert "error" in clf.summary_["methods"] and "120 features" in clf.summary_["methods"]


def test_no_list_by_a_false_rate_where_nothing_is_shown(toy, quick):
    labels = np.random.default_rng(3).permutation(toy.y)
    with pytest.warns(UserWarning, match="not shown to tell the classes apart"):
        selector = PruningSelector(quick, fdr=0.9).fit(toy.X, labels)
    assert selector.estimator_.shown_ is False and selector.estimator_.permutation_p_ >= 0.05
    assert selector.get_support().sum() == 1
    assert PruningSelector(quick, fdr=0.9, min_features=0).fit(toy.X, labels).get_support().sum() == 0
    assert PruningSelector(quick, fdr=0.9, min_features=0).fit(toy.X, toy.y).get_support().sum() > 0


def test_missing_labels_and_plots_without_import(toy, quick):
    labels = toy.y.astype(object)
    labels[5] = None
    with pytest.raises(ValueError, match="1 of 80 labels are missing, the first in row 5"):
        quick.fit(toy.X, labels)
    assert cavity.plots.roc.__module__ == "cavity.plots"
    clf = quick.fit(toy.X, toy.y)
    import matplotlib

    matplotlib.use("Agg")
    assert f"{clf.questions_[0]['auc']:.3f}" in cavity.plots.roc(clf).get_legend().get_texts()[0].get_text()
    assert cavity.plots.calibration(clf).get_ylabel() == "observed frequency"
    rare = SparseBayesClassifier(density=0.1, noise=0.05, class_prior=[0.95, 0.05]).fit(toy.X, toy.y)
    _, observed = cavity.plots.calibration(rare, n_bins=1).lines[1].get_data()
    assert observed == pytest.approx(0.05)


def test_text_and_turned_tables_get_a_sentence(toy, quick):
    frame = pd.DataFrame(toy.X, columns=[f"g{j}" for j in range(toy.X.shape[1])]).assign(sex=["m", "f"] * 40)
    with pytest.raises(ValueError, match="column 'sex' of X holds text, such as 'm'.*covariates"):
        quick.fit(frame, toy.y)
    SparseBayesClassifier(density=0.1, noise=0.05, covariates=["sex"]).fit(frame, toy.y)
    with pytest.raises(ValueError, match="rows must be samples.*X.T"):
        quick.fit(toy.X.T, toy.y)


def test_repeated_samples_bring_a_warning(toy, quick):
    clf = quick.fit(np.vstack([toy.X, toy.X[:3] + 0.01]), np.append(toy.y, toy.y[:3]))
    assert any(w["name"] == "near-duplicates" and "3 pairs" in w["text"] for w in clf.warnings_)
