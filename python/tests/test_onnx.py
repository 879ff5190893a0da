"""What `cavity score --onnx` writes is the score, to onnxruntime as to anybody with a spreadsheet."""

import json

import numpy as np
import pandas as pd
import onnxruntime
import pytest

import cavity


@pytest.fixture(scope="module")
def counts():
    random = np.random.default_rng(3)
    X = random.poisson(np.exp(random.normal(2, 1, size=30)), size=(60, 30)).astype(float)
    y = np.where(np.log1p(X[:, 0]) + 0.3 * random.normal(size=60) > np.log1p(np.median(X[:, 0])), "ill", "well")
    return pd.DataFrame(X, columns=[f"g{j}" for j in range(30)]), y, random


def value_of(term, raw, transform):
    """What a value counts as; docs/cli.md, `cavity score`."""
    if transform == "feature_asinh":
        raw = term["if_missing"] if np.isnan(raw) else raw
        return np.arcsinh((raw - term["median"]) / term["spread"])
    if np.isnan(raw):
        return term["if_missing"]
    return np.log1p(raw) if transform == "log1p" else raw


@pytest.mark.parametrize("transform", ["none", "log1p", "feature_asinh"])
@pytest.mark.parametrize("covariate", [False, True])
def test_the_graph_is_the_score(counts, transform, covariate, command_line, tmp_path):
    X, y, random = counts
    if covariate:
        X = X.assign(age=random.integers(20, 80, size=60).astype(float))
    clf = cavity.SparseBayesClassifier(density=0.3, noise=0.05, value_transform=transform,
                                       covariates=["age"] if covariate else None).fit(X, y)  # fmt: skip
    cavity.save(clf, tmp_path / "m.cavity")
    command_line("score", tmp_path / "m.cavity", "--onnx", tmp_path / "m.onnx", "-q")
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    said = {key: json.loads(text) for key, text in session.get_modelmeta().custom_metadata_map.items()}
    assert said["classes"] == ["ill", "well"]
    score = clf.linear_score()
    terms = {term["name"]: term for term in score["terms"]}
    assert said["covariates"] + said["features"] == list(terms)
    fresh = X.copy()
    fresh.iloc[::7, 3] = np.nan
    inputs = {"features": fresh[said["features"]].to_numpy(np.float32)}
    if covariate:
        inputs["covariates"] = fresh[said["covariates"]].to_numpy(np.float32)
    found, label = session.run(["score", "label"], inputs)
    wanted = [
        score["intercept"]
        + sum(
            terms[name]["weight"] * value_of(terms[name], row[name], "none" if name in said["covariates"] else transform)
            for name in terms
        )
        for _, row in fresh.iterrows()
    ]
    np.testing.assert_allclose(found[:, 0], wanted, atol=1e-6)
    assert [one[0] for one in label] == ["well" if one >= 0 else "ill" for one in wanted]


def test_a_model_that_is_no_sum_says_so(counts, command_line, tmp_path):
    import subprocess

    X, y, _ = counts
    clf = cavity.SparseBayesClassifier(density=0.3, noise=0.05, value_transform="rank").fit(X, y)
    cavity.save(clf, tmp_path / "m.cavity")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        command_line("score", tmp_path / "m.cavity", "--onnx", tmp_path / "m.onnx")
    assert refused.value.returncode == 2 and "ranked within each sample" in refused.value.stderr
    assert not (tmp_path / "m.onnx").exists()
