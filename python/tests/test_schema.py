"""What every command prints with --json is what docs/cavity.schema.json says, with no key that it does not say, and a
fit has the same keys for any number of classes."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import cavity

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "cavity.schema.json").read_text())
CELL = ["--density", "0.1", "--noise", "0.05"]
SETTING = ["--noise", "0.05", "--teacher", "0.1"]
PLAN = ["--features", "2000", "--density", "0.01", "--noise", "0.05"]
COMMANDS = [entry["$ref"].rsplit("/", 1)[1] for entry in SCHEMA["anyOf"]]


def validator(command: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{command}", "$defs": SCHEMA["$defs"]})


@pytest.fixture
def asked(command_line):
    """What a command prints, found to be as the schema says of the kind that is named."""

    def ask(kind: str, *arguments: object) -> dict:
        told = json.loads(command_line(*arguments, "--json"))
        faults = [f"{error.json_path}: {error.message[:200]}" for error in validator(kind).iter_errors(told)]
        assert not faults, (arguments, faults)
        return told

    return ask


@pytest.fixture(scope="module")
def tables(tmp_path_factory, toy):
    """Two classes and four, with a covariate, twins that are correlated, and visits of one patient."""
    folder = tmp_path_factory.mktemp("tables")

    def write(name: str, label: np.ndarray) -> Path:
        header = ["label", *(f"g{j}" for j in range(120)), "twin", "age", "patient"]
        rows = [
            [f"c{label[i]}", *map(repr, map(float, toy.X[i])), repr(float(toy.X[i, 0])), 30 + i % 41, i // 2]
            for i in range(len(label))
        ]
        path = folder / f"{name}.csv"
        path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
        return path

    return {"two": write("two", (toy.y > 0).astype(int)), "four": write("four", 2 * (toy.X[:, 0] > 0) + (toy.y > 0))}


def keys_below(one, other, path: str = "") -> set[str]:
    """Paths at which the keys differ; of lists all items together, and nothing is known below what is null or empty."""
    if isinstance(one, dict) and isinstance(other, dict):
        differ = {f"{path}.{key}" for key in set(one) ^ set(other)}
        return differ.union(*(keys_below(one[key], other[key], f"{path}.{key}") for key in set(one) & set(other)))
    if isinstance(one, list) and isinstance(other, list):
        return set().union(*(keys_below(a, b, f"{path}[]") for a in one for b in other))
    kinds = {type(value) for value in (one, other)} - {type(None)}
    return {path} if len(kinds) > 1 and kinds != {int, float} else set()


def test_the_schema_is_one_and_lets_no_other_key_through():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def closed(node):
        if isinstance(node, dict):
            assert "properties" not in node or node["additionalProperties"] is False
            assert "properties" not in node or set(node["required"]) <= set(node["properties"])
            for below in node.values():
                closed(below)
        if isinstance(node, list):
            for below in node:
                closed(below)

    closed(SCHEMA)
    assert set(COMMANDS) <= set(SCHEMA["$defs"])
    assert all(SCHEMA["$defs"][name]["properties"]["schema"]["const"] == 2 for name in COMMANDS)


def test_a_key_that_is_not_said_or_is_missing_is_seen(asked, tables):
    told = asked("fit", "fit", tables["two"], *CELL)
    check = validator("fit")
    assert check.is_valid(told) and not check.is_valid({**told, "auc": 0.5})
    told["questions"][0]["grid"][0]["note"] = "new"
    assert not check.is_valid(told)
    del told["questions"][0]["grid"][0]["note"], told["loo_error"]
    assert not check.is_valid(told)


@pytest.mark.parametrize("options", [
    [], CELL, [*CELL, "--loo", "--check-loo", 2, "--covariates", "age"], [*CELL, "--group", "patient"],
    [*CELL, "--class-prior", "uniform"], ["--solver", "amp", *CELL], ["--solver", "gamp"], ["--select", "loo_error"],
    ["--density", "0.02", "--noise", "0.001", "--max-iterations", "1"],
], ids=["default", "cell", "loo", "group", "prior", "amp", "gamp", "select", "none-converges"])  # fmt: skip
def test_a_fit_has_the_same_keys_for_any_number_of_classes(options, tables, tmp_path):
    import os
    import subprocess

    binary = Path(os.environ.get("CAVITY_BINARY", ROOT / "build" / "release" / "cavity"))
    if not binary.exists():
        pytest.skip(f"no command line at {binary}")
    told = {}
    for name, table in tables.items():
        model = tmp_path / name
        run = subprocess.run([binary, "fit", table, *map(str, options), "--json", "-o", model], capture_output=True, text=True)
        assert run.returncode in (0, 4), run.stderr
        told[name] = json.loads(run.stdout)
        faults = [f"{error.json_path}: {error.message[:200]}" for error in validator("fit").iter_errors(told[name])]
        assert not faults, (name, faults)
        if run.returncode == 0:
            assert validator("fit").is_valid(cavity.load(model).summary_)
    assert [len(told[name]["questions"]) for name in ("two", "four")] == [1, 4]
    assert keys_below(told["two"], told["four"]) == set()


@pytest.mark.parametrize("method", ["sbl", "fda", "fda-shrunk"])
def test_baselines_have_the_shape_of_a_fit(method, asked, tables):
    assert asked("fit", "fit", tables["two"], "--method", method, "--loo")["folds"] >= 0


@pytest.mark.parametrize("name", ["two", "four"])
def test_what_is_asked_of_a_model(name, asked, command_line, tables, tmp_path):
    model = tmp_path / "m.cavity"
    command_line("fit", tables[name], "-q", "-o", model, "--covariates", "age")
    classes = [one["name"] for one in asked("fit", "fit", tables[name], *CELL)["classes"]]
    predicted = asked("predict", "predict", model, tables[name])
    assert predicted["classes"] == classes
    assert all(len(row["probabilities"]) == len(classes) and row["truth"] in classes for row in predicted["samples"])
    assert predicted["confidence"] is None and predicted["samples"][0]["set"] is None
    sets = asked("predict", "predict", model, tables[name], "--confidence", "0.8")
    assert sets["confidence"] == 0.8
    for row in sets["samples"]:
        assert row["set"] == [c for c, share in zip(classes, row["conformity"]) if share > 1 - 0.8]
    asked("features", "features", model)
    together = asked("features", "features", model, "--correlated")["features"]
    assert any("|twin" in row["name"] or "twin|" in row["name"] for row in together)
    asked("sets", "features", model, "--sets")
    asked("validate", "validate", model, tables[name])
    asked("adapt", "adapt", model, tables[name], "-o", tmp_path / "site.cavity")
    asked("panel", "panel", tables[name], "--covariates", "age", "--most", 2)
    if name == "four":
        chosen = asked("features", "features", model, "--class", "c3")["features"]
        assert {row["class"] for row in chosen} == {"c3"}
        assert len({row["class"] for row in together}) > 1


def test_the_other_commands(asked, tables, tmp_path):
    table = tmp_path / "toy.csv"
    told = asked("version", "--version")
    assert told["version"] == cavity.__version__ and {"fmt", "highway", "zlib"} <= set(told["libraries"])
    made = asked("simulate", "simulate", "--samples", 60, "--features", 30, "--teacher", "0.2", "-o", table)
    assert made["relevant"] == 6 and sum(one["count"] for one in made["classes"]) == made["samples"] == 60
    asked("stability", "stability", tables["two"], *CELL, "--pairs", 2)
    asked("stability", "stability", tables["two"], *CELL, "--pairs", 2, "--group", "patient")
    told = asked("compare", "compare", table, "--methods", "sbc-ep,fda", "--splits", 2, *CELL[2:])
    assert [bool(row["density"]) for row in told["methods"]] == [True, False]


def test_a_score(asked, command_line, tmp_path):
    table, model = tmp_path / "toy.csv", tmp_path / "m.cavity"
    command_line("simulate", "--samples", 60, "--features", 30, "-o", table)
    command_line("fit", table, *CELL, "--value-transform", "none", "-q", "-o", model)
    assert asked("score", "score", model)["equal_labels"] is None
    assert asked("score", "score", model, table)["equal_labels"] > 0.5


def test_theory(asked):
    asked("theory_point", "theory", "point", "--ratio", 1, *SETTING)
    assert asked("theory_point", "theory", "point", "--ratio", 1, *SETTING, "--both-ends")["informed"]["converged"]
    asked("theory_point", "theory", "point", "--ratio", 1, *SETTING, "--teacher-activation", "probit", "--teacher-noise", 0.3)
    assert len(asked("theory_path", "theory", "path", "--ratio", 1, *SETTING, "--steps", 3)["path"]) == 4
    assert len(asked("theory_sweep", "theory", "sweep", "--vary", "ratio", "--values", "0.5,1", *SETTING)["points"]) == 2
    asked("theory_plan", "theory", "plan", *PLAN, "--target-error", 0.2)
    asked("theory_plan", "theory", "plan", *PLAN, "--samples", 300.5)


def test_reproduce(asked, tmp_path):
    told = asked("reproduce", "reproduce", "fig1", "--quick", "-q", "--out", tmp_path)
    assert list(told) == ["schema", "fig1"]


@pytest.mark.parametrize("file", sorted((ROOT / "tests" / "store" / "golden").glob("*.cavity")), ids=lambda path: path.stem)
def test_model_files_of_older_versions_are_read_into_this_shape(file):
    model = cavity.load(file)
    faults = [f"{error.json_path}: {error.message[:200]}" for error in validator("fit").iter_errors(model.summary_)]
    assert not faults
    n_classes = len(model.classes_)
    assert len(model.questions_) == (1 if n_classes == 2 else n_classes)
    assert model.loo_probability_.shape == (model.class_count_.sum(), n_classes)
    for question, share in zip(model.questions_, model.chosen_["weight"]):
        assert share == max(cell["weight"] for cell in question["grid"])


def test_what_samples_owe_to_features_of_a_bent_boundary(asked, tmp_path):
    """A ring of the first two features: for those that lie on it each of the two counts."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(120, 6))
    rows = [[f"g{j}" for j in range(6)] + ["label"]]
    rows += [[*map(repr, map(float, r)), "out" if r[0] ** 2 + r[1] ** 2 > 1.4 else "in"] for r in x]
    path = tmp_path / "ring.csv"
    path.write_text("\n".join(",".join(row) for row in rows) + "\n")
    told = asked("fit", "fit", path, "--boundary", "bent", "--loo", "--quiet")
    owed = told["contributions"][0]["bent"]
    assert set(owed["features"][:2]) == {"g0", "g1"}
    without = np.array(owed["without"])
    assert without.shape == (120, len(owed["features"])) == (len(owed["probability"]), without.shape[1])
    moved = np.abs(np.array(owed["probability"])[:, None] - without).mean(axis=0)
    assert moved[:2].min() > 3 * moved[2:].max(initial=0)
