"""Panels in Python: the command line's numbers, a selector, a classifier, and sentences for what cannot be."""

import json
import pickle

import numpy as np
import pytest

import cavity
from cavity import Panel, SparseBayesClassifier

CELL = ["--density", "0.1", "--noise", "0.05", "--threads", "1"]


@pytest.fixture(scope="module")
def table(toy, tmp_path_factory):
    """Sixty columns whose names do not count up, as a file and as a frame; two classes and three."""
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(toy.X[:, :60], columns=[f"g{3 * j}" for j in range(60)])
    score = toy.X[:, 4] - toy.X[:, 9]
    labels = {"two": np.where(score > 0, "yes", "no"), "three": np.digitize(score, [-0.8, 0.8]).astype(str)}
    folder = tmp_path_factory.mktemp("panel")
    files = {}
    for name, y in labels.items():
        files[name] = folder / f"{name}.csv"
        pd.concat([pd.Series(y, name="label"), X.astype(np.float32)], axis=1).to_csv(files[name], index=False)
    return X, labels, files


def quick(**parameters):
    return Panel(SparseBayesClassifier(density=0.1, noise=0.05), **{"most": 4, "folds": 3, **parameters})


@pytest.mark.parametrize("which", ["two", "three"])
def test_equals_the_command_line(table, command_line, tmp_path, which):
    pd = pytest.importorskip("pandas")
    X, labels, files = table
    said = json.loads(command_line("panel", files[which], *CELL, "--most", "4", "--folds", "3", "--size", "3",
                                   "-o", tmp_path / "three.cavity", "--json", "-q"))
    panel = quick(size=3).fit(X.astype(np.float32), labels[which])
    for name in ("path", "sizes", "whole", "members", "suggested", "size", "folds", "repeats"):
        assert panel.summary_[name] == said[name], name
    written = cavity.load(tmp_path / "three.cavity")
    assert np.array_equal(written.predict_proba(X[panel.panel_]), panel.predict_proba(X))
    table_of = pd.DataFrame({name: list(values) for name, values in panel.prices_.items()})
    assert table_of["error"].tolist() == [row["error"] for row in said["sizes"]]


def test_selects_and_predicts(table):
    X, labels, _ = table
    panel = quick(size=2).fit(X, labels["two"])
    assert set(panel.panel_) == {"g12", "g27"} == set(panel.get_feature_names_out())
    assert panel.transform(X).shape == (len(X), 2)
    assert panel.score(X, labels["two"]) > 0.85
    again = pickle.loads(pickle.dumps(panel))
    assert np.array_equal(again.predict_proba(X), panel.predict_proba(X))
    assert again.at(1).n_features_in_ == 1
    arrays = quick(size=2).fit(X.to_numpy(), labels["two"])
    assert np.array_equal(arrays.predict_proba(X.to_numpy()), panel.predict_proba(X))
    assert arrays.panel_ == [f"x{int(name[1:]) // 3 + 1}" for name in panel.panel_]


def test_must_never_cost_and_normalise(table, tmp_path):
    X, labels, _ = table
    panel = quick(must=["g0"], never=[9], cost={"g3": 5.0}, normalise=["g6", 5]).fit(X, labels["two"])
    assert panel.path_[0] == "g0" and "g27" not in panel.path_ and not {"g6", "g15"} & set(panel.path_)
    assert panel.summary_["normalise"] == ["g6", "g15"]
    needed = [*panel.panel_, "g6", "g15"]
    assert sorted(panel.get_feature_names_out()) == sorted(needed)
    shifted = X + np.arange(len(X))[:, None]  # a ratio does not see how much of a sample was taken
    assert np.allclose(panel.predict_proba(shifted), panel.predict_proba(X), atol=1e-4)
    cavity.save(panel.classifier_, tmp_path / "panel.cavity")
    assert np.array_equal(cavity.load(tmp_path / "panel.cavity").predict_proba(X[needed]), panel.predict_proba(X))


def test_report(table, tmp_path):
    X, labels, _ = table
    panel = quick(size=1).fit(X, labels["two"])
    for one in (panel, pickle.loads(pickle.dumps(panel))):
        one.report(tmp_path / "panel.html", name="toy")
        page = (tmp_path / "panel.html").read_text()
        assert '"kind":"panel"' in page.replace(": ", ":") and "toy" in page


@pytest.mark.parametrize(
    "parameters, said",
    [
        ({"must": ["nobody"]}, "must.*not in the data: 'nobody'"),
        ({"must": ["g0", "g3"], "size": 1}, "must.* names 2 features, and a panel of 1"),
        ({"never": list(range(60))}, "no feature is left to choose from"),
        ({"normalise": ["nobody"]}, "normalise.*not in the data: 'nobody'"),
        ({"must": ["g0"], "normalise": ["g0"]}, "stands in .*normalise.* and in .*must"),
        ({"must": [60]}, "outside the 60 columns"),
        ({"size": 9}, "a panel of 9"),
        ({"size": 0}, "size=0"),
        ({"margin": -1}, "margin=-1"),
        ({"never": ["nobody"]}, "never.*not in the data: 'nobody'"),
        ({"among": ["g0", "nobody"]}, "among.*not in the data: 'nobody'"),
        ({"cost": {"nobody": 2}}, "cost.*not in the data: 'nobody'"),
        ({"cost": {"g0": 0}}, "g0.*cost.*positive"),
        ({"must": ["g0"], "never": ["g0"]}, "stands in .*must.* and in .*never"),
        ({"must": ["g0", "g3", "g6"], "most": 2}, "must.* names 3 features, and the largest panel has 2"),
        ({"among": ["g0"], "never": ["g0"]}, "no feature is left to choose from: .*never.* excludes all that .*among"),
        ({"folds": 1}, "two folds at least"),
    ],
)
def test_what_cannot_be_is_said(table, parameters, said):
    X, labels, _ = table
    with pytest.raises(ValueError, match=said):
        quick(**parameters).fit(X, labels["two"])
