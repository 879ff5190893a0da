"""The scikit-learn classifier."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._classes import checked_prior, class_name, normalised, prior_ratio, refuse_missing_labels
from ._former import FormerAttributes
from ._containers import as_table, of_samples
from ._input import Features, column_name, column_roles, core_names, group_names, read_features, refuse_turned, sample_names
from ._options import fit_options, refuse_arguments, refusing_class_weight, threads
from ._probabilities import FromProbabilities
from ._summary import (
    chosen_columns,
    grid_columns,
    interval,
    number,
    progress_line,
    python_notes,
    python_warnings,
    summary_html,
)

Floats = NDArray[np.float64]
_LOGISTIC_PROBIT = 1.702  # widths of the closest probit and logistic curves


class SparseBayesClassifier(ClassifierMixin, FromProbabilities, FormerAttributes, BaseEstimator):
    """Sparse Bayesian classifier with inclusion probabilities and leave-one-out error in one fit.

    Made for data with far more features than samples. Density and noise are tuned by leave-one-out inside the fit,
    without a refit: there is usually nothing to search for.

    More than two classes are solved one against the rest on one prepared table, and joined by a small multinomial model
    of their leave-one-out fields, so that probabilities sum to 1 and are calibrated.

    Parameters
    ----------
    density : "auto", "paper", float or list of float, default="auto"
        Fraction of features that the pruning prior keeps, in (0, 1]. Several values make a grid; "auto" is a grid
        chosen by the number of features, "paper" that of the method's paper.
    noise : "auto", float or list of float, default="auto"
        Step activation: the probability of a flipped label, in [0, 1/2); probit and logistic: the width of the
        transition.
    width : "auto", float or list of float, default="auto"
        Softness of the boundary beside the flipped labels of the step activation, in units of the fields' spread.
        "auto" is 0 where `noise` is given; where neither is, a few pairs of both that serve most tables.
    activation : {"auto", "step", "probit", "logistic"}, default="auto"
        Probability of a label given the field.
    boundary : {"auto", "straight", "bent"}, default="auto"
        "straight": a weighted sum of features decides; "bent": distances to the training samples, where there are at most
        2000; "auto": both, each by how well it predicts samples left out. What is said of features is the straight one's.
    solver : {"auto", "ep", "gamp", "amp", "bp", "gibbs"}, default="auto"
        "ep" (expectation propagation) is right for correlated features, "amp" is cheaper an update but assumes
        independent ones; "auto" takes "ep" where it is affordable.
    scale : {"auto", "variance", "none", "whiten"}, default="auto"
        Features are always centred; "auto" is "variance", but "none" for sparse input; "variance" brings each to unit variance, "whiten" turns them to uncorrelated
        principal directions.
    value_transform : {"auto", "none", "asinh", "rank", "log1p", "feature_asinh"}, default="auto"
        What happens to the values of each sample first (``--transform`` of the command line). "auto" takes within-sample normal scores ("rank") for many
        measurements of one kind on a raw or heavy-tailed scale, and "none" otherwise; "feature_asinh" takes asinh around each feature's own median.
    select : {"stack", "loo_error", "loo_log_loss", "evidence"}, default="stack"
        How the grid becomes one answer: a mixture with the best leave-one-out predictions, or a single cell.
    covariates : list of str or int, default=None
        Columns of ``X`` (names for data frames, positions for arrays) that are always kept, such as age or sex. In a
        data frame they may hold text.
    class_prior : None, "uniform" or array-like of shape (n_classes,), default=None
        Shares of the classes where predictions will be used, in the order of ``classes_``, when they are not those
        of the training data: predictions follow it, and so do all leave-one-out figures of the fit.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    check_loo : int, default=0
        Refit the heaviest cell with so many random samples left out, one at a time, and compare: ``loo_check`` of
        ``questions_``.
    max_iter : int, default=None
        Limit on the updates of a grid cell; None: the solver's own.
    tol : float, default=1e-6
        Residual that counts as converged.
    n_jobs : int, default=None
        Threads; None means 1 unless in a :obj:`joblib.parallel_backend` context, -1 means all. The result does not
        depend on it.
    random_state : int, RandomState or None, default=None
        Seed of what is random: the sampled cells of the default grid, which keep few features, solver "gibbs" and
        ``check_loo``. None is the fixed seed 1, so that fits can be repeated.
    verbose : int, default=0
        1 prints a line for every grid cell.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_features_in_ : int
        Number of columns seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, for data frames with names that are all strings.
    inclusion_probability_ : ndarray of shape (n_features_in_,)
        Posterior probability that a feature matters, the largest over the questions; 1 for covariates.
    coef_ : ndarray of shape (n_questions, n_features_in_)
        Posterior mean weight per unit of the (transformed) feature: its contribution to the probit score of the
        question's class. 0 for constant features. Of a
        text covariate it is the weight of its category against the reference, of many that of the largest;
        ``covariates`` of ``questions_`` has them all.
    coef_sd_ : ndarray, shape of ``coef_``
        Posterior standard deviation of the weights.
    coef_inclusion_ : ndarray, shape of ``coef_``
        Posterior probability that a feature matters to the question.
    alone_ : dict of ndarray, shape of ``coef_``
        What each feature says alone, without the others: ``difference`` of the class's mean from that of the other
        classes, on the scale of ``coef_`` and with covariates taken out, Student's ``t`` of it, and ``q``, the smallest
        false-discovery rate at which it would be listed (Benjamini and Hochberg). NaN where it is not known: constant
        features, covariates, groups of samples, whitening, older models.
    intercept_ : ndarray of shape (n_questions,)
        Constant of the probit score. ``X @ coef_.T + intercept_`` approximates ``decision_function`` where the
        value transform is "none"; predictions also use the spread of the weights and the mixture of cells.
    loo_error_, loo_log_loss_ : float
        Leave-one-out error and log loss. ``loo_error_se_`` is the error's standard error, ``loo_error_interval_`` its
        95 % interval, which says something where the error is 0, too.
    permutation_p_ : float
        Do the features tell the classes apart at all? Of the labels as they are against labels dealt by chance, by all
        features together and by the one that says most (``summary_["permutation"]`` has both); NaN where the table is
        too large for it.
    shown_ : bool or None
        Whether the features are shown to tell the classes apart; None where it could not be asked. ``summary_["verdict"]``
        says it in words, ``summary_["methods"]`` is a paragraph for a paper.
    balanced_accuracy_, brier_ : float
        By leave-one-out: the mean of the classes' shares called right, and half the mean summed square.
    confusion_ : ndarray of shape (n_classes, n_classes)
        By leave-one-out: rows are true classes, columns those predicted.
    covariates_alone_ : dict or None
        Leave-one-out of the covariates without the features, and how much better the fit is: ``loo_error``,
        ``loo_log_loss``, ``error_gain``, ``error_gain_se``, ``log_loss_gain``, ``log_loss_gain_se``.
    loo_probability_ : ndarray of shape (n_samples, n_classes)
        Probabilities of each training sample when left out, in the order of ``classes_``.
    n_groups_ : int
        Groups of samples that were left out as a whole; 0: samples were left out one by one.
    loo_reliable_ : ndarray of shape (n_samples,), bool
        False for samples of so much influence that their leave-one-out is doubtful.
    questions_ : list of dict
        Each ``class`` against the others: two classes ask one question, that of ``classes_[1]``, more ask one each.
        By leave-one-out ``sensitivity``, ``specificity`` and ``auc`` with ``auc_se`` and 95 % intervals
        (``auc_interval``), ``loo_error``, ``loo_log_loss``; ``covariates`` with ``name, category, reference, weight, sd``;
        ``loo_check``, what ``check_loo`` found (``refits``, ``changed_labels``, the ``largest_difference`` and
        ``mean_difference`` of a probability, refits that ``failed``); ``solver``, ``grid``, ``chosen``, ``train_error``.
    chosen_ : dict of ndarray of shape (n_questions,)
        The chosen grid cell of each question (the heaviest one of a mixture): ``density``, ``noise``, ``width``,
        ``log_evidence``, ... as in ``grid_``.
    grid_ : dict of ndarray
        The grids of all questions as columns, ready for ``pandas.DataFrame(clf.grid_)``; ``class`` tells them apart.
    converged_ : bool
        Whether a converged cell was found (for every class).
    n_iter_ : int
        Updates of the chosen cell; the largest over the questions.
    solver_ : str
        The solver that ran.
    value_transform_ : str
        The transform that was used.
    summary_ : dict
        The fit with the names of ``cavity fit --json --loo`` (docs/cavity.schema.json): also ``guessing`` (always
        guessing the commonest class: its error, what is gained and lost against it, the p-value), ``calibration``,
        ``correlated``, ``credible_sets``, ``expected_relevant``.
    notes_, warnings_ : list
        What was done to the data, and what to know before trusting the fit: dicts of ``name, text, cure``.

    Notes
    -----
    What is fitted has one shape for any number of classes. Names that had one for two classes and another for more
    warn and go with version 2: ``loo_proba_``, ``loo_check_``, ``density_``, ``noise_``, ``log_evidence_``,
    ``covariate_weights_``, ``sensitivity_``, ``specificity_``, ``auc_``, ``auc_se_`` and their intervals.

    Missing values (NaN) take the feature's training mean; infinite values are refused. The core computes on float32
    features in double precision: a C-contiguous float32 array is used in place, without a copy, unless values have to
    be transformed, imputed or dropped. ``sample_weight`` and
    ``class_weight`` are refused with what to use instead: see :meth:`fit`.

    Examples
    --------
    >>> import cavity
    >>> X, y, teacher = cavity.simulate(120, 400, teacher=0.02, noise=0.02, seed=3)
    >>> clf = cavity.SparseBayesClassifier(density=[0.02, 0.1], noise=[0.02, 0.1]).fit(X[:100], y[:100])
    >>> clf.predict_proba(X[100:]).shape
    (20, 2)
    >>> best = abs(teacher).argmax()
    >>> bool(clf.inclusion_probability_[best] > 0.9)
    True
    """

    @refusing_class_weight
    def __init__(
        self,
        density: Union[str, float, Sequence[float]] = "auto",
        noise: Union[str, float, Sequence[float]] = "auto",
        width: Union[str, float, Sequence[float]] = "auto",
        activation: str = "auto",
        boundary: str = "auto",
        solver: str = "auto",
        scale: str = "auto",
        value_transform: str = "auto",
        select: str = "stack",
        covariates: Optional[Sequence[Union[str, int]]] = None,
        class_prior: Union[None, str, ArrayLike] = None,
        fit_intercept: bool = True,
        check_loo: int = 0,
        max_iter: Optional[int] = None,
        tol: float = 1e-6,
        n_jobs: Optional[int] = None,
        random_state: Union[None, int, np.random.RandomState] = None,
        verbose: int = 0,
    ) -> None:
        self.density = density
        self.noise = noise
        self.width = width
        self.activation = activation
        self.boundary = boundary
        self.solver = solver
        self.scale = scale
        self.value_transform = value_transform
        self.select = select
        self.covariates = covariates
        self.class_prior = class_prior
        self.fit_intercept = fit_intercept
        self.check_loo = check_loo
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, groups: Any = None, **refused: Any) -> SparseBayesClassifier:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like, data frame, Arrow table, AnnData or sparse matrix of shape (n_samples, n_features)
            Training data; NaN is a missing value. Of an AnnData it is ``X.X``, with the names of its variables.
        y : array-like of shape (n_samples,), or str
            Classes: numbers or strings. Of an AnnData: a column of ``X.obs``, by name; likewise ``groups``.
        groups : array-like of shape (n_samples,), default=None
            What each sample belongs to, such as a patient or a batch; None or NaN: nothing. Samples of a group are left
            out together, and all leave-one-out figures are then for samples of a new group. Solver "ep" only.
        **refused
            Nothing else: ``sample_weight`` is a TypeError that says what to use instead.

        Returns
        -------
        self : SparseBayesClassifier
        """
        refuse_arguments(self, refused)
        options = fit_options(self)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y, groups, X = of_samples(X, y), of_samples(X, groups), as_table(X)
        label_name = getattr(y, "name", None)
        features = read_features(self, X, reset=True)
        y = column_or_1d(y, warn=True)
        refuse_missing_labels(y)
        refuse_turned(features, y)
        check_consistent_length(range(features.samples), y)
        groups = group_names(groups, features.samples)
        check_classification_targets(y)
        classes, index = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"at least two classes are required, the {len(index)} samples contain only one class: {classes[0]!r}"
            )
        counts = np.bincount(index)
        prior = checked_prior(self.class_prior, len(counts))  # complain before the work
        if prior is not None:
            options.class_prior = [float(share) for share in prior]
        fitted = _core.fit(
            features.matrix,
            index.astype(np.uint32),
            core_names(self),
            sample_names(X),
            [class_name(label) for label in classes],
            label_name if isinstance(label_name, str) else "label",
            features.covariates,
            options,
            progress_line if self.verbose else None,
            groups,
        )
        self._adopt(fitted.model, classes, index)
        self._fitted = fitted
        if not self.converged_:
            warnings.warn(
                "no grid cell converged: raise max_iter, use a larger density or noise, or another solver",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        features = read_features(self, X, reset=False)
        proba = _core.predict(self._model, features.matrix, features.covariates, threads(self))
        ratio = self._missing_ratio()
        return proba if ratio is None else normalised(proba * ratio)

    def report(self, path: Union[str, os.PathLike[str]], *, name: str = "data") -> None:
        """Write the fit as one web page: the same as ``cavity fit --report`` of the command line.

        The page is a single file that loads nothing from elsewhere: leave-one-out probabilities, ROC and calibration,
        the grid, the features with a false-discovery slider, what pushed each sample to its class, a learning curve,
        and all tables as CSV. Samples are named by the index of a data frame, or numbered from 1.

        Parameters
        ----------
        path : str or path-like
            The file; it is replaced only once the new one is complete.
        name : str, default="data"
            What the page is headed with, such as the name of the data set.
        Examples
        --------
        >>> import cavity, os, tempfile
        >>> X, y, _ = cavity.simulate(40, 100)
        >>> clf = cavity.SparseBayesClassifier(density=0.1, noise=0.05).fit(X, y)
        >>> path = os.path.join(tempfile.mkdtemp(), "toy.html")
        >>> clf.report(path, name="simulated")
        >>> os.path.getsize(path) > 100_000
        True
        """
        check_is_fitted(self)
        if self._fitted is None:
            raise ValueError("a model file does not hold what a report needs: fit again, or keep the fit with pickle")
        command = " ".join(f"{self!r}.fit(X, y)".split())
        self._fitted.write_report(os.fspath(path), name, command)

    def report_data(self) -> Dict[str, Any]:
        """Every number of the page of :meth:`report`, by name: the object that the page is made from.

        Returns
        -------
        dict
            The names of ``cavity fit --json`` (``summary_`` has most of them), and as columns ``sample_table``,
            ``feature_table`` (with ``expected_false``) and ``contributions``.
        """
        check_is_fitted(self)
        if self._fitted is None:
            raise ValueError("a model file does not hold what a report needs: fit again, or keep the fit with pickle")
        return json.loads(self._fitted.report_json())

    def _missing_ratio(self) -> Optional[Floats]:
        """What ``class_prior`` asks for beyond the shift that the model brings along."""
        wanted = prior_ratio(self.class_prior, self.class_count_)
        wanted = np.ones(len(self.classes_)) if wanted is None else wanted
        brought = np.array(self._model.class_shift or wanted * 0 + 1)
        factor = wanted / brought
        factor /= factor[0]
        return None if np.allclose(factor, 1, rtol=1e-12, atol=0) else factor

    def _sample_weights(self) -> Floats:
        """What each training sample counts in the figures: all alike, or classes as in ``class_prior``."""
        ratio = prior_ratio(self.class_prior, self.class_count_)
        truth = self._truth
        return np.ones(len(self.loo_probability_)) if ratio is None or len(truth) == 0 else ratio[truth]

    def linear_score(self) -> Dict[str, Any]:
        """The classifier of two classes as one weighted sum, for a spreadsheet.

        Returns
        -------
        dict
            ``intercept``, ``transform`` ("none", "log1p": take ln(1 + value) first, or "feature_asinh": take
            asinh((value - median)/spread) first) and ``terms``, dicts of ``name, weight, if_missing``, of feature_asinh
            ``median`` and ``spread``, too. A sample is called ``classes_[1]`` where intercept + sum of weight * value is above 0.
            ValueError that says why where the classifier is no such sum.
        """
        check_is_fitted(self)
        intercept, transform, terms = self._model.linear_score()
        keys = ["name", "weight", "if_missing", "median", "spread"][: 5 if transform == "feature_asinh" else 3]
        return {
            "intercept": intercept,
            "transform": transform,
            "terms": [dict(zip(keys, term)) for term in terms],
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def _adopt(
        self, model: _core.Model, classes: NDArray[Any], index: Optional[NDArray[np.intp]] = None
    ) -> SparseBayesClassifier:
        """Take over a fitted model. ``index`` is each sample's class."""
        self._model = model
        self._fitted: Optional[_core.Fitted] = None
        self.classes_ = classes
        if index is None:
            self._adopt_columns(model)
        always, rest = column_roles(self)
        names = [column_name(self, at) for at in always]
        shape = (model.n_questions, self.n_features_in_)
        self.coef_, self.coef_sd_, self.coef_inclusion_ = np.zeros(shape), np.zeros(shape), np.ones(shape)
        self.intercept_ = np.zeros(len(self.coef_))
        self.alone_ = {name: np.full(shape, np.nan) for name in ("difference", "t", "q")}
        for k in range(len(self.coef_)):
            question = model.question(k)
            self.coef_[k, rest], self.coef_sd_[k, rest] = question.weight, question.sd
            self.coef_inclusion_[k, rest] = question.inclusion
            for values, found in zip(self.alone_.values(), question.alone):
                values[k, rest] = found
            self.coef_[k, always], self.coef_sd_[k, always], self.intercept_[k] = _always_kept(model, question, names)
        self.inclusion_probability_ = self.coef_inclusion_.max(axis=0)
        self.value_transform_ = model.value_transform
        self._adopt_summary(json.loads(model.summary_json), index)
        return self

    def _adopt_columns(self, model: _core.Model) -> None:
        names = model.feature_names
        if names != [f"x{at + 1}" for at in range(len(names))] or self.covariates:
            self.feature_names_in_ = np.array(names + list(self.covariates or []), dtype=object)
        self.n_features_in_ = len(names) + len(self.covariates or [])

    def _adopt_summary(self, summary: Dict[str, Any], index: Optional[NDArray[np.intp]]) -> None:
        labels = self.classes_.tolist()
        asked = [labels[self._model.of_class(k)] for k in range(len(self.coef_))]
        self.questions_ = [{**question, "class": label} for question, label in zip(summary["questions"], asked)]
        self.grid_, self.chosen_ = grid_columns(self.questions_), chosen_columns(self.questions_)
        self.solver_ = summary["solver"]
        self.n_iter_ = max(1, int(self.chosen_["iterations"].max()))
        self.notes_ = python_notes(summary)
        self.warnings_ = python_warnings(summary)
        self.converged_ = all(warning["name"] != "not-converged" for warning in self.warnings_)
        self.summary_ = {**summary, "notes": self.notes_, "warnings": self.warnings_}
        self.class_count_ = np.array([one["count"] for one in summary["classes"]])
        self.n_groups_ = summary["sample_groups"]
        self.permutation_p_ = number(summary["permutation"]["p"])
        self.shown_ = summary["permutation"]["shown"]
        self.covariates_alone_ = summary["covariates_alone"]
        self._adopt_left_out(summary, index)

    def _adopt_left_out(self, summary: Dict[str, Any], index: Optional[NDArray[np.intp]]) -> None:
        for name in ("loo_error", "loo_error_se", "loo_log_loss", "balanced_accuracy", "brier"):
            setattr(self, name + "_", number(summary[name]))
        self.loo_error_interval_ = interval(summary["loo_error_interval"])
        n_classes = len(self.classes_)
        confusion = summary["confusion"]  # a model file of 0.1.0 does not hold it
        self.confusion_ = np.full((n_classes, n_classes), np.nan) if confusion is None else np.array(confusion)
        self.loo_probability_ = np.array(summary["loo_probability"], dtype=float).reshape(-1, n_classes)
        self.loo_reliable_ = np.array(summary["loo_reliable"], dtype=bool)
        places = {name: k for k, name in enumerate(self._model.class_names)}
        self._truth = np.array([places[name] for name in summary["loo_truth"]], dtype=int) if index is None else index

    def _all_names(self) -> List[str]:
        return [column_name(self, at) for at in range(self.n_features_in_)]

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + summary_html(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> Dict[str, str]:
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += summary_html(self)
        return bundle


def _always_kept(
    model: _core.Model, question: _core.Question, names: List[str]
) -> tuple[Floats, Floats, float]:
    """Weights of the covariates, their deviations, and the constant of the probit score.

    Each cell's field is divided by the standard deviation of its predicted fields before mixing.
    """
    constant = -float(question.weight[model.kept] @ model.centre)
    for part in question.components if question.intercept else []:
        spread = part.width * np.sqrt(part.density)
        width = {"step": spread, "probit": part.noise, "logistic": _LOGISTIC_PROBIT * part.noise}[question.activation]
        constant += part.weight / np.sqrt(part.common_variance + width**2) * part.covariate_mean[0]
    weights, sds = np.zeros(len(names)), np.zeros(len(names))
    for encoding, (weight, sd) in zip(model.covariates, question.covariate_weights):
        at = names.index(encoding.name)
        if abs(weight) >= abs(weights[at]):
            weights[at], sds[at] = weight, sd
        constant -= weight * encoding.centre
    return weights, sds, constant
