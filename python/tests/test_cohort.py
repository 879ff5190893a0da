"""Another cohort: the functions say what the command line says, and refuse what they cannot do."""

import json

import numpy as np
import pandas as pd
import pytest

import cavity


@pytest.fixture(scope="module")
def frames():
    """Two cohorts of one population; g1 to g9 say the same as g0 with some noise."""
    random = np.random.default_rng(5)

    def draw(n):
        X = random.normal(size=(n, 40))
        y = np.where(X[:, 0] + 0.3 * random.normal(size=n) > 0, "ill", "well")
        X[:, 1:10] = X[:, :1] + 0.4 * random.normal(size=(n, 9))
        return pd.DataFrame(X, columns=[f"g{j}" for j in range(40)], index=[f"s{i}" for i in range(n)]), y

    return draw(60), draw(50)


@pytest.fixture(scope="module")
def clf(frames):
    (X, y), _ = frames
    return cavity.SparseBayesClassifier(density=[0.5, 0.1], noise=0.05, value_transform="none").fit(X, y)


def test_all_columns_there_is_predict_proba(clf, frames):
    X, _ = frames[1]
    told = cavity.predict(clf, X)
    assert (told.probability == clf.predict_proba(X)).all() and (told.label == clf.predict(X)).all()
    assert (told.explained == 1).all() and told.set is None and told.conformity is None
    assert (cavity.predict(clf, X[X.columns[::-1]]).probability == told.probability).all()
    assert (cavity.predict(clf, X.assign(other=1.0, text="a")).probability == told.probability).all()


def test_absent_columns_and_sets_are_those_of_the_command_line(clf, frames, command_line, tmp_path):
    X, y = frames[1]
    cavity.save(clf, tmp_path / "m.cavity")
    for name, frame, more in (("part", X.drop(columns=["g0", "g20"]), []), ("all", X, ["--confidence", "0.9"])):
        frame.astype(np.float32).to_csv(tmp_path / f"{name}.csv", index_label="id")
        said = json.loads(command_line("predict", tmp_path / "m.cavity", tmp_path / f"{name}.csv", "--id", "id", "--json", "-q", *more))
        told = cavity.predict(clf, frame.astype(np.float32), confidence=0.9 if more else None)
        assert told.measured == said["measured"]
        np.testing.assert_allclose(told.probability, [row["probabilities"] for row in said["samples"]], atol=1e-12)
        np.testing.assert_allclose(told.explained, [row["explained"] for row in said["samples"]], atol=1e-12)
        if more:
            np.testing.assert_allclose(told.conformity, [row["conformity"] for row in said["samples"]], atol=1e-12)
            sets = [list(clf.classes_[held]) for held in told.set]
            assert sets == [row["set"] for row in said["samples"]]


def test_names_written_differently_are_matched_when_asked(clf, frames):
    X = frames[1][0].rename(columns=lambda name: name.upper() + ".2")
    with pytest.raises(ValueError, match="match"):
        cavity.predict(clf, X)
    assert (cavity.predict(clf, X, match=True).probability == clf.predict_proba(frames[1][0])).all()


def test_validate_is_that_of_the_command_line(clf, frames, command_line, tmp_path):
    X, y = frames[1]
    site = np.where(np.arange(50) % 2, "north", "south")
    cavity.save(clf, tmp_path / "m.cavity")
    X = X.astype(np.float32)
    X.assign(label=y, site=site).to_csv(tmp_path / "new.csv", index_label="id")
    said = json.loads(command_line("validate", tmp_path / "m.cavity", tmp_path / "new.csv", "--id", "id", "--by", "site",
                                   "--threshold", "0.3,0.7", "--json", "-q"))  # fmt: skip
    found = cavity.validate(clf, X, y, groups=site, thresholds=(0.3, 0.7))

    def same(one, other):
        if isinstance(one, dict):
            assert list(one) == list(other)
            for key in one:
                same(one[key], other[key])
        elif isinstance(one, list):
            assert len(one) == len(other)
            for a, b in zip(one, other):
                same(a, b)
        else:
            assert one == (pytest.approx(other, abs=1e-9) if isinstance(one, float) else other)

    assert any("--slope" in finding["cure"] for finding in said["findings"])
    for finding in said["findings"]:
        finding["cure"] = finding["cure"].replace("--slope", "slope")  # options by the names of their front end
    same(found, said)
    left_out = cavity.validate(clf, X, np.where(np.arange(50) < 3, None, y))
    assert left_out["unlabelled"] == 3 and left_out["came"]["samples"] == 47


def test_findings_name_options_as_python_does(clf, frames):
    X, y = frames[1]
    found = cavity.validate(clf, 3 * X + 5, y)["findings"]
    cures = " ".join(finding["text"] + finding["cure"] for finding in found)
    assert "value_transform='rank'" in cures and "--" not in cures
    with pytest.raises(ValueError, match="class_prior takes"):
        cavity.adapt(clf, X, ["other"] * 50)


def test_adapt_is_that_of_the_command_line(clf, frames, command_line, tmp_path):
    X, y = frames[1]
    X = X.astype(np.float32)
    cavity.save(clf, tmp_path / "m.cavity")
    X.assign(label=y).to_csv(tmp_path / "new.csv", index_label="id")
    said = json.loads(command_line("adapt", tmp_path / "m.cavity", tmp_path / "new.csv", "--id", "id", "--slope", "--json",
                                   "-q", "-o", tmp_path / "there"))  # fmt: skip
    before = clf.predict_proba(X)
    there = cavity.adapt(clf, X, y, slope=True)
    for key in ("intercept", "slope", "unchanged", "log_loss_before", "log_loss_left_out"):
        assert there.adaptation_[key] == pytest.approx(said[key], abs=1e-9)
    np.testing.assert_allclose(there.predict_proba(X), cavity.load(tmp_path / "there").predict_proba(X), atol=1e-12)
    assert (clf.predict_proba(X) == before).all()
    cavity.save(there, tmp_path / "again")
    assert (cavity.load(tmp_path / "again").predict_proba(X) == there.predict_proba(X)).all()


def test_what_cannot_be_done_is_said(clf, frames):
    X, y = frames[1]
    with pytest.raises(ValueError, match="one of them"):
        cavity.adapt(clf)
    with pytest.raises(ValueError, match="positive numbers with sum 1"):
        cavity.adapt(clf, class_prior=[0.5, 0.6])
    with pytest.raises(ValueError, match="no sample has a label"):
        cavity.validate(clf, X, ["other"] * 50)
    with pytest.raises(ValueError, match="1.5"):
        cavity.validate(clf, X, y, thresholds=[1.5])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cavity.validate(clf, X, y[:3])
    with pytest.raises(ValueError, match="not in the data"):
        cavity.predict(clf, X[["g30", "g31"]], least_explained=0.99)
    with pytest.raises(ValueError, match="confidence"):
        cavity.predict(clf, X, confidence=1.5)
    with pytest.raises(ValueError, match="adapted to another site"):
        cavity.predict(cavity.adapt(clf, class_prior=[0.9, 0.1]), X, confidence=0.9)
    with pytest.raises(ValueError, match="absent|not in the data"):
        cavity.predict(clf, X.drop(columns="g0"), confidence=0.9)
