"""The report page: the one that the command line writes, for the same fit."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import cavity
from cavity import SparseBayesClassifier


def page_data(path) -> dict:
    """The JSON inside a page, and that there is one of them."""
    found = re.findall(r'<script type="application/json" id="report-data">(.*?)</script>', path.read_text("utf-8"), re.S)
    assert len(found) == 1
    return json.loads(found[0])


def shell(path) -> str:
    """The page without its data."""
    return re.sub(r'(id="report-data">).*?(</script>)', r"\1\2", path.read_text("utf-8"), flags=re.S)


@pytest.fixture
def write(tmp_path):
    def write(classifier, file="python.html", **options):
        path = tmp_path / file
        try:
            classifier.report(path, **options)
        except ValueError as error:
            if "no report page" not in str(error):
                raise
            pytest.skip(str(error))
        return path

    return write


@pytest.mark.parametrize(
    ("parameters", "options"),
    [({}, []), ({"density": [0.05, 0.2], "noise": 0.1, "select": "evidence"},
               ["--density", "0.05,0.2", "--noise", "0.1", "--select", "evidence"])],
    ids=["default", "evidence"],
)  # fmt: skip
def test_equals_the_command_lines(parameters, options, toy, command_line, write_csv, write, tmp_path):
    X = toy.X.copy()
    X[:, 3] = 1  # constant: there is something to note
    y = np.where(toy.y > 0, "b", "a")
    data = write_csv(X, y)
    expected = tmp_path / "cli.html"
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(X.shape[1])])
    clf = SparseBayesClassifier(**parameters).fit(frame, y)
    path = write(clf, name="toy")
    command_line("fit", data, "--report", expected, "-q", *options)
    ours, theirs = page_data(path), page_data(expected)
    assert ours.pop("file") == "toy" and theirs.pop("file") == str(data)
    assert ours.pop("command").startswith("SparseBayesClassifier(") and theirs.pop("command").startswith("cavity fit")
    # The reader's notes on the file come first; the rest is about the data.
    notes, with_file = ours.pop("notes"), theirs.pop("notes")
    assert notes and with_file[-len(notes) :] == notes
    assert ours == theirs
    assert shell(path) == shell(expected)


def test_survives_pickle(toy, quick, write):
    clf = quick.fit(toy.X, toy.y)
    again = pickle.loads(pickle.dumps(clf))
    assert write(clf, "first.html").read_bytes() == write(again, "second.html").read_bytes()
    assert np.array_equal(again.predict_proba(toy.X), clf.predict_proba(toy.X))


def test_names_samples_by_the_index(toy, quick, write):
    hostile = "</script><script>alert(1)</script>"
    names = [hostile, *(f"patient {i}" for i in range(1, len(toy.y)))]
    frame = pd.DataFrame(toy.X, index=names, columns=[f"g{j}" for j in range(toy.X.shape[1])])
    path = write(quick.fit(frame, toy.y))
    assert page_data(path)["sample_table"]["name"] == names
    assert hostile not in path.read_text("utf-8")
    path = write(quick.fit(toy.X, toy.y))
    assert page_data(path)["sample_table"]["name"][:2] == ["1", "2"]


def test_the_page_of_more_classes_is_the_command_lines(toy, command_line, write_csv, write, tmp_path):
    y = np.array(["a", "b", "c"])[np.arange(len(toy.y)) % 3]
    frame = pd.DataFrame(toy.X, columns=[f"g{j}" for j in range(toy.X.shape[1])])
    clf = SparseBayesClassifier(density=0.1, noise=0.1).fit(frame, y)
    path, expected = write(clf), tmp_path / "cli.html"
    command_line("fit", write_csv(toy.X, y), "--report", expected, "-q", "--density", "0.1", "--noise", "0.1")
    ours, theirs = page_data(path), page_data(expected)
    assert ours["kind"] == "fit" and np.array_equal(ours["confusion"], clf.confusion_)
    assert clf.report_data()["questions"] == ours["questions"]
    for part in ("file", "command", "notes"):
        ours.pop(part), theirs.pop(part)
    assert ours == theirs


def test_refusals(toy, quick, tmp_path):
    with pytest.raises(Exception, match="not fitted"):
        quick.report(tmp_path / "early.html")
    clf = quick.fit(toy.X, toy.y)
    cavity.save(clf, tmp_path / "toy.cavity")
    with pytest.raises(ValueError, match="fit again"):
        cavity.load(tmp_path / "toy.cavity").report(tmp_path / "loaded.html")


def test_the_page_goes_where_it_can(toy, quick, write, tmp_path):
    clf = quick.fit(toy.X, toy.y)
    write(clf)
    with pytest.raises(OSError):
        clf.report(tmp_path / "no such folder" / "page.html")
