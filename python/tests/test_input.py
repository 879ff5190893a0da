"""Every container and layout gives the same fit; wrong input is refused with the sizes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from cavity import SparseBayesClassifier


def same(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X)) and np.array_equal(a.loo_probability_, b.loo_probability_)


@pytest.mark.parametrize(
    "convert",
    [
        lambda X, _: X.astype(np.float64),
        lambda X, _: np.asfortranarray(X),
        lambda X, _: np.asfortranarray(X, dtype=np.float64),
        lambda X, _: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
        lambda X, _: X[::-1].copy()[::-1],
        lambda X, folder: _memmap(X, folder),
        lambda X, _: pd.DataFrame(X),
        lambda X, _: X.tolist(),
    ],
    ids=["float64", "fortran", "fortran64", "strided", "reversed", "memmap", "frame", "list"],
)
def test_layouts(convert, toy, quick, tmp_path):
    reference = SparseBayesClassifier(**quick.get_params()).fit(toy.X, toy.y)
    converted = convert(toy.X, tmp_path)
    fitted = quick.fit(converted, toy.y)
    assert same(fitted, reference, toy.X)
    assert np.array_equal(fitted.predict_proba(converted), reference.predict_proba(toy.X))


def _memmap(X, folder):
    path = folder / "X.npy"
    np.save(path, X)
    return np.load(path, mmap_mode="r")


def test_input_is_never_written(toy):
    X = toy.X.copy()
    X[:, 5] = 3
    X[2, 7] = np.nan
    before = X.copy()
    X.flags.writeable = False
    for transform in ("none", "rank", "asinh"):
        SparseBayesClassifier(density=0.1, noise=0.05, value_transform=transform).fit(X, toy.y).predict(X)
    assert np.array_equal(X, before, equal_nan=True)


KINDS = (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array)


def test_sparse_form_of_a_full_table_is_the_table(toy, quick):
    X = np.where(np.abs(toy.X) > 1, toy.X, 0)
    reference = quick.fit(X, toy.y).predict_proba(X)
    for kind in KINDS:
        assert np.array_equal(quick.fit(kind(X), toy.y).predict_proba(X), reference)


def test_sparse_stays_sparse():
    rng = np.random.default_rng(1)
    dense = np.where(rng.random((200, 3000)) < 0.03, rng.poisson(2, (200, 3000)) + 1.0, 0.0)
    X, y = scipy.sparse.csr_matrix(dense), dense[:, :20].sum(axis=1) > dense[:, 20:40].sum(axis=1)
    fits = [SparseBayesClassifier().fit(kind(X), y) for kind in KINDS]
    assert fits[0].solver_ == "gamp"
    for clf in fits:
        assert np.array_equal(clf.predict_proba(X), fits[0].predict_proba(X))
        assert np.allclose(clf.predict_proba(dense), clf.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_keep_their_names(frame, toy, quick):
    names = [f"g{j}" for j in range(toy.X.shape[1])]
    table = frame({name: toy.X[:, j] for j, name in enumerate(names)})
    quick.fit(table, toy.y)
    assert quick.feature_names_in_.tolist() == names
    assert quick._model.feature_names == names
    with pytest.raises(ValueError, match="feature names"):
        quick.predict(table[names[::-1]])


def test_columns_of_one_name_are_refused(toy, quick):
    table = pd.DataFrame(toy.X[:, :5], columns=["a", "b", "a", "c", "a"])
    with pytest.raises(ValueError, match=r"columns 0 and 2 of X have the same name, 'a'; 2 names in all come again.*groupby"):
        quick.fit(table, toy.y)
    for cure in (table.loc[:, ~table.columns.duplicated()], table.T.groupby(level=0).mean().T):
        assert list(quick.fit(cure, toy.y).feature_names_in_) == ["a", "b", "c"]


def test_string_and_boolean_labels(toy, quick):
    reference = quick.fit(toy.X, toy.y).predict_proba(toy.X)
    for labels in (np.where(toy.y > 0, "tumour", "normal"), toy.y > 0, pd.Series(np.where(toy.y > 0, "b", "a"))):
        quick.fit(toy.X, labels)
        assert np.array_equal(quick.predict_proba(toy.X), reference)
        assert set(quick.predict(toy.X)) == set(np.unique(labels))


def test_missing_values_take_the_mean_and_are_then_told_by_the_others(toy):
    clf = SparseBayesClassifier(density=0.1, noise=0.05, value_transform="none")
    X = toy.X.copy()
    X[3, 4] = np.nan
    filled = X.copy()
    filled[3, 4] = np.nanmean(X[:, 4], dtype=np.float64)
    missing = SparseBayesClassifier(**clf.get_params()).fit(X, toy.y)
    assert any("missing value" in note for note in missing.notes_)
    clf.fit(filled, toy.y)
    assert np.allclose(missing.predict_proba(filled), clf.predict_proba(filled), rtol=0, atol=1e-6)
    told, others = missing.predict_proba(X), np.arange(len(X)) != 3
    assert np.array_equal(told[others], missing.predict_proba(filled)[others])
    assert np.allclose(told[3], clf.predict_proba(filled)[3], atol=0.01)  # one feature of 120


@pytest.mark.parametrize("kind", ["array", "pandas", "polars"])
def test_covariates(kind, toy):
    age = np.linspace(30, 70, 80)
    if kind == "array":
        X, covariates = np.column_stack([toy.X, age]), [120]
    else:
        columns = {f"g{j}": toy.X[:, j] for j in range(120)}
        columns |= {"age": age, "sex": np.where(np.arange(80) % 2 == 0, "f", "m")}
        X, covariates = (pd if kind == "pandas" else pl).DataFrame(columns), ["age", "sex"]
    clf = SparseBayesClassifier(density=0.1, noise=0.05, covariates=covariates).fit(X, toy.y)
    assert clf.n_features_in_ == X.shape[1] == len(clf.inclusion_probability_)
    assert clf.inclusion_probability_[120] == 1 and np.isfinite(clf.coef_[0, 120])
    assert clf.predict_proba(X).shape == (80, 2)
    if kind != "array":
        assert np.isfinite(clf.coef_[0, 121]) and (clf.coef_sd_[0, 120:] > 0).all()
        assert [w["category"] for w in clf.questions_[0]["covariates"]] == ["", "m"]
        assert clf.covariates_alone_["error_gain_se"] > 0
        assert {c.category for c in clf._model.covariates if c.name == "sex"} == {"m"}


def test_covariates_of_more_classes(toy):
    table = pd.DataFrame(toy.X[:, :40]).rename(columns=str).assign(site=np.arange(80) % 3)
    clf = SparseBayesClassifier(density=0.5, noise=0.2, covariates=["site"]).fit(table, np.arange(80) % 3)
    told = clf.covariates_alone_
    assert told["loo_error"] < 0.5 and np.isclose(told["error_gain"], told["loo_error"] - clf.loo_error_)


def test_constant_features_are_dropped_without_harm(toy, quick):
    reference = quick.fit(toy.X, toy.y).predict_proba(toy.X)
    wider = np.column_stack([np.full(80, 4.0, dtype=np.float32), toy.X])
    fitted = quick.fit(wider, toy.y)
    assert np.array_equal(fitted.predict_proba(wider), reference)
    assert fitted.coef_[0, 0] == 0 and fitted.inclusion_probability_[0] == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"density": 1.5}, r"1\.5 is outside"),
        ({"density": "many"}, "density='many'"),
        ({"density": []}, r"shape \(0,\)"),
        ({"noise": 0.7}, "0.7"),
        ({"noise": [[0.1]]}, r"shape \(1, 1\)"),
        ({"solver": "svm"}, "solver='svm' is unknown: use one of 'auto'"),
        ({"activation": "relu"}, "'probit'"),
        ({"select": "aic"}, "'loo_error'"),
        ({"scale": True}, "'auto'"),
        ({"value_transform": "log"}, "'rank'"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"tol": -1}, "tol=-1"),
        ({"class_prior": [0.2, 0.2, 0.6]}, "2 positive numbers"),
        ({"class_prior": "equal"}, "'uniform'"),
        ({"class_prior": {"a": 0.5}}, "no list of numbers"),
        ({"covariates": ["age"]}, "'age' is not a column"),
        ({"covariates": [120]}, "outside the 120 columns"),
    ],
)
def test_unknown_options(parameters, message, toy):
    with pytest.raises(ValueError, match=message):
        SparseBayesClassifier(**parameters).fit(toy.X, toy.y)


def test_wrong_data(toy, quick):
    with pytest.raises(ValueError, match=r"\[80, 79\]"):
        quick.fit(toy.X, toy.y[:79])
    with pytest.raises(ValueError, match="only one class"):
        quick.fit(toy.X, np.ones(80))
    with pytest.raises(ValueError, match="infinity"):
        quick.fit(np.where(toy.X == toy.X[2, 3], np.inf, toy.X), toy.y)
    with pytest.raises(ValueError, match="sample 3, feature 'x5'.*infinite"):
        too_large = toy.X.astype(float)
        too_large[2, 4] = 1e300
        quick.fit(too_large, toy.y)
    with pytest.raises(ValueError, match="all 120 features are constant"):
        quick.fit(np.ones((80, 120)), toy.y)
    quick.fit(toy.X, toy.y)
    with pytest.raises(ValueError, match="119 features.*120 features"):
        quick.predict(toy.X[:, 1:])


class Annotated:
    """What an AnnData has of what is read here."""

    def __init__(self, X, obs, var_names):
        self.X, self.obs, self.obs_names, self.var_names = X, obs, obs.index, pd.Index(var_names)


def annotated_forms():
    yield Annotated
    anndata = pytest.importorskip("anndata")
    yield lambda X, obs, names: anndata.AnnData(X=X, obs=obs, var=pd.DataFrame(index=names))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("real", [False, True])
def test_annotated_data(toy, quick, sparse, real):
    forms = annotated_forms()
    make = next(forms)
    if real:
        make = next(forms)
    X = np.where(np.abs(toy.X) > 1.5, toy.X, 0).astype(np.float32)
    names = [f"g{j}" for j in range(X.shape[1])]
    obs = pd.DataFrame({"state": toy.y, "patient": [f"p{i // 2}" for i in range(len(X))]}, index=[f"cell{i}" for i in range(len(X))])
    reference = SparseBayesClassifier(**quick.get_params()).fit(X, toy.y)
    data = make(scipy.sparse.csr_matrix(X) if sparse else X, obs, names)
    fitted = quick.fit(data, "state")
    assert list(fitted.feature_names_in_) == names
    assert np.allclose(fitted.predict_proba(data), reference.predict_proba(X), atol=2e-3 if sparse else 0)
    with pytest.raises(ValueError, match="obs has no column 'stat'; it has 'state', 'patient'"):
        quick.fit(data, "stat")


def test_annotated_data_that_cannot_be_read(toy, quick):
    obs = pd.DataFrame({"state": toy.y})
    with pytest.raises(ValueError, match="var_names_make_unique"):
        quick.fit(Annotated(toy.X, obs, ["g"] * toy.X.shape[1]), "state")
    with pytest.raises(ValueError, match="layers"):
        quick.fit(Annotated(None, obs, []), "state")


def test_a_modality_is_chosen_by_its_name(toy, quick):
    obs = pd.DataFrame({"state": toy.y}, index=[f"cell{i}" for i in range(len(toy.y))])

    class Several:
        """What a MuData has of what is read here."""

        mod = {"rna": Annotated(toy.X, obs, [f"g{j}" for j in range(toy.X.shape[1])]), "protein": None}
        obs_names = obs.index

    with pytest.raises(ValueError, match=r"several tables, 'rna', 'protein': give one of them, such as X.mod\['rna'\]"):
        quick.fit(Several(), toy.y)
    fitted = quick.fit(Several().mod["rna"], "state")
    reference = SparseBayesClassifier(**quick.get_params()).fit(toy.X, toy.y)
    assert np.array_equal(fitted.predict_proba(Several().mod["rna"]), reference.predict_proba(toy.X))


class Arrow:
    """What a pyarrow.Table has of what is read here."""

    schema, column_names = None, []

    def __init__(self, frame):
        self.frame = frame

    def to_pandas(self):
        return self.frame


@pytest.mark.parametrize("real", [False, True])
def test_arrow_tables(toy, quick, real):
    frame = pd.DataFrame(toy.X, columns=[f"g{j}" for j in range(toy.X.shape[1])])
    arrow = pytest.importorskip("pyarrow").Table.from_pandas(frame) if real else Arrow(frame)
    reference = SparseBayesClassifier(**quick.get_params()).fit(frame, toy.y)
    fitted = quick.fit(arrow, toy.y)
    assert np.array_equal(fitted.predict_proba(arrow), reference.predict_proba(frame))


def test_numbers_of_samples_are_warned_of(toy, quick):
    order = np.argsort(toy.y, kind="stable")
    X, y = toy.X[order], np.asarray(toy.y)[order]
    frame = pd.DataFrame(np.column_stack([np.arange(len(X)), X]), columns=["patient_id", *(f"g{j}" for j in range(X.shape[1]))])
    fitted = quick.fit(frame, y)
    assert any(w["name"] == "ids-among-features" and "'patient_id'" in w["text"] for w in fitted.warnings_)
