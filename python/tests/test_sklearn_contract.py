"""The estimators behave as scikit-learn expects, without exceptions to the rule."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import cavity
from cavity import Panel, PruningSelector, SparseBayesClassifier


@parametrize_with_checks([SparseBayesClassifier(), PruningSelector(), Panel(SparseBayesClassifier(density=0.1, noise=0.05), folds=2, most=2)])
def test_estimator_checks(estimator, check):
    check(estimator)


def test_pipeline_and_search(toy):
    pipeline = make_pipeline(StandardScaler(), PruningSelector(fdr=0.3), LogisticRegression())
    assert pipeline.fit(toy.X, toy.y).score(toy.X, toy.y) > 0.7
    search = GridSearchCV(SparseBayesClassifier(noise=0.05), {"density": [0.05, 0.3]}, cv=3, n_jobs=2)
    search.fit(toy.X, toy.y)
    assert search.best_params_["density"] in (0.05, 0.3)


def test_cross_validation_in_processes_equals_serial(toy, quick):
    scores = [cross_val_score(quick, toy.X, toy.y, cv=3, n_jobs=jobs) for jobs in (None, 2)]
    assert np.array_equal(scores[0], scores[1])


def test_threads_do_not_change_the_result(toy):
    one, two = (SparseBayesClassifier(density=[0.1, 0.3], noise=0.05, n_jobs=n).fit(toy.X, toy.y) for n in (None, 2))
    assert np.array_equal(one.predict_proba(toy.X), two.predict_proba(toy.X))
    assert np.array_equal(one.loo_probability_, two.loo_probability_)


def test_clone_and_pickle(toy, quick, tmp_path):
    fitted = clone(quick).fit(toy.X, toy.y)
    copies = [pickle.loads(pickle.dumps(fitted))]
    joblib.dump(fitted, tmp_path / "fit.joblib")
    copies.append(joblib.load(tmp_path / "fit.joblib"))
    for copy in copies:
        assert np.array_equal(copy.predict_proba(toy.X), fitted.predict_proba(toy.X))
        assert np.array_equal(copy.inclusion_probability_, fitted.inclusion_probability_)


def test_selector_names_and_output(toy):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(toy.X, columns=[f"g{j}" for j in range(toy.X.shape[1])])
    selector = PruningSelector(SparseBayesClassifier(density=0.05, noise=0.05), threshold=0.8)
    out = selector.set_output(transform="pandas").fit(frame, toy.y).transform(frame)
    chosen = selector.get_support(indices=True)
    assert list(out.columns) == list(selector.get_feature_names_out()) == [f"g{j}" for j in chosen]
    assert (selector.inclusion_probability_[chosen] >= 0.8).all()


def test_selector_false_discovery_rate(toy):
    selector = PruningSelector(SparseBayesClassifier(density=0.05, noise=0.05), fdr=0.1).fit(toy.X, toy.y)
    kept = selector.get_support()
    inclusion = selector.inclusion_probability_
    assert (1 - inclusion[kept]).mean() <= 0.1
    following = np.sort(inclusion[~kept])[::-1][0]
    assert (np.append(1 - inclusion[kept], 1 - following)).mean() > 0.1


def test_html_shows_the_fit(toy, quick):
    assert "inclusion probability" not in quick._repr_mimebundle_()["text/html"]
    html = quick.fit(toy.X, toy.y)._repr_mimebundle_()["text/html"]
    assert "Leave-one-out error" in html and "inclusion probability" in html


def test_version():
    assert cavity.__version__.count(".") == 2
