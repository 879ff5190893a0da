"""Python and the command line are one program: same data, same options, same numbers, same files."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import cavity
from cavity import SparseBayesClassifier, theory


def columns(text: str) -> dict[str, np.ndarray]:
    """Numbers exactly as written, which not every version of pandas reads."""
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([row[name] if name == "label" else float(row[name]) for row in rows]) for name in rows[0]}


def probabilities(text: str) -> np.ndarray:
    return np.array([float(row["probability"]) for row in csv.DictReader(io.StringIO(text))])


def fit_on_command_line(command_line, data, tmp_path, *options):
    model = tmp_path / "cli.cavity"
    summary = json.loads(command_line("fit", data, "-o", model, "--json", "--loo", *options))
    return model, summary, probabilities(command_line("predict", model, data, "-q"))


def frame_of(path):
    table = pd.DataFrame(columns(path.read_text()))
    return table.drop(columns="label"), table["label"]


@pytest.mark.parametrize(
    ("parameters", "options"),
    [
        ({}, []),
        ({"density": [0.05, 0.2], "noise": 0.1, "select": "evidence"},
         ["--density", "0.05,0.2", "--noise", "0.1", "--select", "evidence"]),
        ({"solver": "amp", "density": 0.1, "noise": 0.05, "value_transform": "rank", "random_state": 5},
         ["--solver", "amp", "--density", "0.1", "--noise", "0.05", "--value-transform", "rank", "--seed", "5"]),
        ({"activation": "probit", "density": 0.1, "scale": "none", "fit_intercept": False},
         ["--activation", "probit", "--density", "0.1", "--no-unit-variance", "--no-intercept"]),
    ],
    ids=["default", "evidence", "amp", "probit"],
)  # fmt: skip
def test_same_fit(parameters, options, toy, command_line, write_csv, tmp_path):
    data = write_csv(toy.X, np.where(toy.y > 0, "b", "a"))
    _, summary, expected = fit_on_command_line(command_line, data, tmp_path, *options)
    X, y = frame_of(data)
    clf = SparseBayesClassifier(**parameters).fit(X, y)
    assert np.abs(clf.predict_proba(X)[:, 1] - expected).max() <= 1e-12
    assert np.abs(clf.loo_probability_ - summary["loo_probability"]).max() <= 1e-12
    assert clf.loo_error_ == summary["loo_error"] and clf.solver_ == summary["solver"]


def test_colon(read_data, command_line, write_csv, tmp_path):
    X, y = read_data("colon")
    options = ["--density", "0.0125", "--noise", "0.08"]
    data = write_csv(X.to_numpy(), y.to_numpy())
    _, summary, expected = fit_on_command_line(command_line, data, tmp_path, *options)
    clf = SparseBayesClassifier(density=0.0125, noise=0.08).fit(X, y)
    assert np.abs(clf.predict_proba(X)[:, 1] - expected).max() <= 1e-12
    assert clf.loo_error_ == summary["loo_error"]


def test_models_are_read_both_ways(toy, command_line, write_csv, tmp_path):
    data = write_csv(toy.X, np.where(toy.y > 0, "b", "a"))
    model, summary, expected = fit_on_command_line(command_line, data, tmp_path, "--noise", "0.05")
    X, y = frame_of(data)
    loaded = cavity.load(model)
    assert np.abs(loaded.predict_proba(X)[:, 1] - expected).max() <= 1e-12
    assert loaded.classes_.tolist() == ["a", "b"] and loaded.loo_error_ == summary["loo_error"]
    assert loaded.predict(X).tolist() == np.where(expected >= 0.5, "b", "a").tolist()

    clf = SparseBayesClassifier(noise=0.05).fit(X, y)
    cavity.save(clf, tmp_path / "python.cavity")
    text = command_line("predict", tmp_path / "python.cavity", data, "-q")
    assert np.abs(probabilities(text) - clf.predict_proba(X)[:, 1]).max() <= 1e-12
    ranked = pd.read_csv(io.StringIO(command_line("features", tmp_path / "python.cavity")), sep=None, engine="python")
    assert len(ranked) > 0


def test_save_and_load_keep_everything(toy, quick, tmp_path):
    frame = pd.DataFrame({f"g{j}": toy.X[:, j] for j in range(120)} | {"sex": np.where(toy.X[:, 0] > 0, "f", "m")})
    clf = quick.set_params(covariates=["sex"]).fit(frame, toy.y)
    cavity.save(clf, tmp_path / "model.cavity")
    loaded = cavity.load(tmp_path / "model.cavity")
    assert np.array_equal(loaded.predict_proba(frame), clf.predict_proba(frame))
    assert np.array_equal(loaded.predict(frame), clf.predict(frame)) and loaded.classes_.tolist() == [-1, 1]
    for name in ("coef_", "intercept_", "inclusion_probability_", "loo_probability_", "n_features_in_", "feature_names_in_"):
        assert np.array_equal(getattr(loaded, name), getattr(clf, name), equal_nan=name == "coef_"), name
    with pytest.raises(ValueError, match="class_prior"):
        cavity.save(clf.set_params(class_prior="uniform"), tmp_path / "model.cavity")


def test_missing_and_damaged_files(tmp_path):
    with pytest.raises(OSError, match="nothing.cavity"):
        cavity.load(tmp_path / "nothing.cavity")
    (tmp_path / "text.cavity").write_text("not a model")
    with pytest.raises(ValueError, match="not a cavity model"):
        cavity.load(tmp_path / "text.cavity")


def test_simulation(command_line, tmp_path):
    command_line("simulate", "--samples", 30, "--features", 20, "--teacher", 0.2, "--noise", 0.1, "--seed", 4,
                 "-o", tmp_path / "toy.csv")  # fmt: skip
    X, y = frame_of(tmp_path / "toy.csv")
    made = cavity.simulate(30, 20, teacher=0.2, noise=0.1, seed=4)
    assert np.array_equal(X.to_numpy(np.float32), made.X) and np.array_equal(y.astype(int), made.y)


def test_theory(command_line):
    setting = ["--ratio", 1, "--noise", 0.05, "--teacher", 0.2, "--density", 0.3]
    expected = json.loads(command_line("theory", "point", *setting, "--json"))
    got = theory.point(ratio=1, noise=0.05, teacher=0.2, density=0.3)._asdict()
    assert got["converged"] and all(got[name] == expected[name] for name in got if name != "converged")
    path = columns(command_line("theory", "path", *setting, "--steps", 6))
    curve = theory.path(ratio=1, noise=0.05, teacher=0.2, density=0.3, steps=6)
    assert all(np.array_equal(path[name], curve[name]) for name in curve)
